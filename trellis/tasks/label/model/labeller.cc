#include "trellis/tasks/label/model/labeller.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/label/model/model_rows.h"
#include "trellis/tasks/linear_scores.h"

namespace trellis::label {
namespace {

void above_threshold(std::span<const double> scores, std::vector<std::uint32_t>& labels) {
  for (Index v = 0; v < scores.size(); ++v) {
    if (scores[v] > 0) labels.push_back(static_cast<std::uint32_t>(v));
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

Index instances_at_once(const LabelModel& model) {
  constexpr Index kInstances = 4096;
  constexpr Index kNumbers = Index{1} << 22;
  return std::clamp<Index>(kNumbers / std::max(model.num_labels(), model.num_rows()), 1,
                           kInstances);
}

void label_in_turn(const LabelModel& model, const LabelData& data, int threads,
                   const VisitLabelling& visit) {
  const ModelRows rows(model, data);
  const Index at_once = instances_at_once(model);
  for (Index begin = 0; begin < data.num_instances(); begin += at_once) {
    const Index end = std::min(begin + at_once, data.num_instances());
    visit(begin, predict_labels(model, rows_between(rows, data, begin, end), threads));
  }
}

Labelling label_instances(const LabelModel& model, const LabelData& data, int threads) {
  Labelling all;
  label_in_turn(model, data, threads, [&](Index, const Labelling& part) {
    all.labels.append_all(part.labels);
    all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
  });
  return all;
}

}  // namespace trellis::label
