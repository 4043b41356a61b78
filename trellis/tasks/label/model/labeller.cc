#include "trellis/tasks/label/model/labeller.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/linear_scores.h"

namespace trellis::label {
namespace {

constexpr std::uint32_t kNotInModel = ~std::uint32_t{0};
// So many are labelled in one go, fewer where that would make more numbers than the second.
constexpr Index kInstancesAtOnce = 4096;
constexpr Index kNumbersAtOnce = Index{1} << 22;

void above_threshold(std::span<const double> scores, std::vector<std::uint32_t>& labels) {
  for (Index v = 0; v < scores.size(); ++v) {
    if (scores[v] > 0) labels.push_back(static_cast<std::uint32_t>(v));
  }
}

// The columns of a file under the numbers that the model has for them.
std::vector<std::uint32_t> model_columns(const LabelModel& model, const LabelData& data) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (Index k = 0; k < model.feature_names.size(); ++k) {
    numbers.emplace(model.feature_names[k], static_cast<std::uint32_t>(k));
  }
  std::vector<std::uint32_t> columns(data.num_features(), kNotInModel);
  for (Index k = 0; k < columns.size(); ++k) {
    const auto found = numbers.find(data.feature_names[k]);
    if (found != numbers.end()) columns[k] = found->second;
  }
  return columns;
}

Index num_known(const std::vector<std::uint32_t>& columns) {
  return columns.size() -
         static_cast<Index>(std::count(columns.begin(), columns.end(), kNotInModel));
}

// Rows of a file in the order of a model's features.
class RowsInOrder {
 public:
  RowsInOrder(const LabelModel& model, const LabelData& data)
      : model_(model), data_(data), columns_(model_columns(model, data)) {
    if (data.declares_features && !model.feature_names.empty() && num_known(columns_) == 0) {
      throw InputError(data.file, 0,
                       "expected attributes that the model has been trained with, found none: the "
                       "first of the model is",
                       model.feature_names.front());
    }
  }

  FeatureRows rows(Index begin, Index end) const {
    const Index width = model_.feature_names.size();
    // Centred rows have to be dense. Others stay as they are, unless the model is so much wider
    // than the file that it would be rows of zeros.
    const bool dense = width > 0 && (!model_.scaling.mean.empty() ||
                                     (data_.features.is_dense() && width <= 2 * columns_.size()));
    return dense ? dense_rows(begin, end, width) : sparse_rows(begin, end, width);
  }

 private:
  // visit(feature of the model, value), in the order of the file.
  template <class Visit>
  void for_each_feature(Index i, const Visit& visit) const {
    const auto known = [&](Index column, float value) {
      if (columns_[column] != kNotInModel && value != 0) visit(columns_[column], value);
    };
    if (data_.features.is_dense()) {
      const auto row = data_.features.dense_row(i);
      for (Index k = 0; k < row.size(); ++k) known(k, row[k]);
    } else {
      const auto ids = data_.features.ids(i);
      const auto values = data_.features.values(i);
      for (Index k = 0; k < ids.size(); ++k) known(ids[k], values[k]);
    }
  }

  FeatureRows dense_rows(Index begin, Index end, Index width) const {
    std::vector<float> values((end - begin) * width, 0.0F);
    for (Index i = begin; i < end; ++i) {
      float* row = values.data() + (i - begin) * width;
      for_each_feature(i, [&](std::uint32_t k, float value) { row[k] = value; });
    }
    return FeatureRows::dense(width, std::move(values));
  }

  FeatureRows sparse_rows(Index begin, Index end, Index width) const {
    std::vector<std::uint32_t> begins = {0};
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
    std::vector<std::pair<std::uint32_t, float>> row;
    for (Index i = begin; i < end; ++i) {
      row.clear();
      for_each_feature(i, [&](std::uint32_t k, float value) { row.emplace_back(k, value); });
      std::sort(row.begin(), row.end());
      for (const auto& [k, value] : row) {
        ids.push_back(k);
        values.push_back(value);
      }
      begins.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    return FeatureRows::sparse(width, std::move(begins), std::move(ids), std::move(values));
  }

  const LabelModel& model_;
  const LabelData& data_;
  std::vector<std::uint32_t> columns_;
};

FeatureRows scaled_rows(const RowsInOrder& rows, const LabelModel& model, const LabelData& data,
                        Index begin, Index end) {
  const FeatureRows in_order = rows.rows(begin, end);
  try {
    return scaled(in_order, model.scaling, begin + 1);
  } catch (const UsageError& error) {  // the file's numbers, as the model's scaling was checked
    throw InputError(data.file, 0, error.what());
  }
}

}  // namespace

Labeller::Labeller(const LabelModel& model)
    : model_(model), pairwise_(model.num_labels(), model.pairs) {}

void Labeller::label(const FeatureRows& rows, Index i, Scratch& scratch, std::span<double> scores,
                     std::vector<std::uint32_t>& labels) const {
  labels.clear();
  if (rows.is_dense()) {
    add_up_scores(rows.dense_row(i), model_.weights, scores);
  } else {
    add_up_scores(rows.ids(i), rows.values(i), model_.weights, scores);
  }
  for (Index v = 0; v < scores.size(); ++v) scores[v] -= model_.thresholds[v];
  switch (model_.form) {
    case ModelForm::kIndependent:
      return above_threshold(scores, labels);
    case ModelForm::kPairwise:
      return best_set(scores, scratch, labels);
    case ModelForm::kChain:
      return follow_chain(scores, labels);
  }
}

void Labeller::best_set(std::span<const double> scores, Scratch& scratch,
                        std::vector<std::uint32_t>& labels) const {
  scratch.parts.assign(scores.begin(), scores.end());
  scratch.parts.insert(scratch.parts.end(), model_.couplings.begin(), model_.couplings.end());
  pairwise_.maximize(scratch.parts, scratch.pairwise, scratch.y);
  for (Index v = 0; v < scores.size(); ++v) {
    if (scratch.y[v] != 0) labels.push_back(static_cast<std::uint32_t>(v));
  }
}

void Labeller::follow_chain(std::span<double> scores, std::vector<std::uint32_t>& labels) const {
  const Index num_labels = scores.size();
  for (const std::uint32_t v : model_.order) {
    const double* weights = model_.chain_weights.data() + v * num_labels;
    for (const std::uint32_t u : labels) scores[v] += weights[u];
    if (scores[v] > 0) labels.push_back(v);
  }
  std::sort(labels.begin(), labels.end());
}

Labelling predict_labels(const LabelModel& model, const FeatureRows& rows, int threads) {
  if (rows.num_rows() > 0 && rows.width() != model.num_rows()) {
    throw UsageError("the feature vectors to label do not have the width of the model's weights");
  }
  const int workers = resolve_threads(threads);
  const Labeller labeller(model);
  std::vector<Labeller::Scratch> scratch(static_cast<Index>(workers));
  std::vector<std::vector<std::uint32_t>> labels(rows.num_rows());
  Labelling labelling;
  const Index num_labels = model.num_labels();
  labelling.scores.resize(rows.num_rows() * num_labels);
  parallel_for(rows.num_rows(), workers, [&](Index i, int worker) {
    labeller.label(rows, i, scratch[static_cast<Index>(worker)],
                   std::span(labelling.scores).subspan(i * num_labels, num_labels), labels[i]);
  });
  for (const auto& set : labels) labelling.labels.append(set);
  return labelling;
}

Index num_known_features(const LabelModel& model, const LabelData& data) {
  return num_known(model_columns(model, data));
}

FeatureRows model_rows(const LabelModel& model, const LabelData& data) {
  return scaled_rows(RowsInOrder(model, data), model, data, 0, data.num_instances());
}

void label_in_turn(const LabelModel& model, const LabelData& data, int threads,
                   const VisitLabelling& visit) {
  const RowsInOrder rows(model, data);
  const Index numbers = std::max(model.num_labels(), model.num_rows());
  const Index at_once = std::clamp<Index>(kNumbersAtOnce / numbers, 1, kInstancesAtOnce);
  for (Index begin = 0; begin < data.num_instances(); begin += at_once) {
    const Index end = std::min(begin + at_once, data.num_instances());
    visit(begin, predict_labels(model, scaled_rows(rows, model, data, begin, end), threads));
  }
}

}  // namespace trellis::label
