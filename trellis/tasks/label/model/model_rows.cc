#include "trellis/tasks/label/model/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/label/model/scaled_rows.h"

namespace trellis::label {

// Centred rows have to be dense. Others stay as they are, unless the model is so much wider than
// the file that it would be rows of zeros.
ModelRows::ModelRows(const LabelModel& model, const LabelData& data)
    : model_(model),
      file_(data.file),
      dense_(!model.scaling.mean.empty() ||
             (data.features.is_dense() && model.feature_names.size() <= 2 * data.num_features())) {
  find_names(data.feature_names, data.declares_features);
}

ModelRows::ModelRows(const LabelModel& model, const InstanceReader& reader)
    : model_(model), file_(reader.file()), dense_(!model.scaling.mean.empty()) {
  reader.declares_features() ? find_names(reader.feature_names(), true) : find_indices();
}

void ModelRows::find_names(const std::vector<std::string>& names, bool declared) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (Index k = 0; k < model_.feature_names.size(); ++k) {
    numbers.emplace(model_.feature_names[k], static_cast<std::uint32_t>(k));
  }
  for (const std::string& name : names) {
    const auto found = numbers.find(name);
    columns_.push_back(found == numbers.end() ? kNotInModel : found->second);
  }
  if (!declared || model_.feature_names.empty() || num_known() > 0) return;
  throw InputError(file_, 0,
                   "expected attributes that the model has been trained with, found none: the "
                   "first of the model is",
                   model_.feature_names.front());
}

void ModelRows::find_indices() {
  for (Index k = 0; k < model_.feature_names.size(); ++k) {
    const std::string& name = model_.feature_names[k];
    const auto index = parse_integer(name);
    if (!index || *index < 0 || *index > std::numeric_limits<std::uint32_t>::max()) continue;
    if (fmt::format("{}", *index) != name) continue;
    by_index_[static_cast<std::uint32_t>(*index)] = static_cast<std::uint32_t>(k);
  }
}

std::uint32_t ModelRows::number_of(std::uint32_t feature) const {
  if (!columns_.empty()) return columns_[feature];
  const auto found = by_index_.find(feature);
  return found == by_index_.end() ? kNotInModel : found->second;
}

Index ModelRows::num_known() const {
  return by_index_.size() + columns_.size() -
         static_cast<Index>(std::count(columns_.begin(), columns_.end(), kNotInModel));
}

FeatureRows ModelRows::in_order(Index count, const FeaturesOf& features_of) const {
  const Index width = model_.feature_names.size();
  const bool dense = dense_ && width > 0;
  std::vector<std::uint32_t> begins = {0};
  std::vector<std::uint32_t> ids;
  std::vector<float> values(dense ? count * width : 0, 0.0F);
  std::vector<std::pair<std::uint32_t, float>> row;
  for (Index i = 0; i < count; ++i) {
    row.clear();
    for (const Feature& feature : features_of(i)) {
      const std::uint32_t k = number_of(feature.id);
      if (k != kNotInModel && feature.value != 0) row.emplace_back(k, feature.value);
    }
    if (dense) {
      for (const auto& [k, value] : row) values[i * width + k] = value;
      continue;
    }
    std::sort(row.begin(), row.end());
    for (const auto& [k, value] : row) {
      ids.push_back(k);
      values.push_back(value);
    }
    begins.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  if (dense) return FeatureRows::dense(width, std::move(values));
  return FeatureRows::sparse(width, std::move(begins), std::move(ids), std::move(values));
}

FeatureRows ModelRows::rows(Index count, const FeaturesOf& features_of, Index first) const {
  const FeatureRows unscaled = in_order(count, features_of);
  try {
    return scaled(unscaled, model_.scaling, first);
  } catch (const UsageError& error) {  // the file's numbers, as the model's scaling was checked
    throw InputError(file_, 0, error.what());
  }
}

FeatureRows rows_between(const ModelRows& rows, const LabelData& data, Index begin, Index end) {
  std::vector<Feature> row;
  const auto features_of = [&](Index i) {
    row.clear();
    if (data.features.is_dense()) {
      const auto x = data.features.dense_row(begin + i);
      for (Index k = 0; k < x.size(); ++k) row.push_back({static_cast<std::uint32_t>(k), x[k]});
    } else {
      const auto ids = data.features.ids(begin + i);
      const auto values = data.features.values(begin + i);
      for (Index k = 0; k < ids.size(); ++k) row.push_back({ids[k], values[k]});
    }
    return std::span<const Feature>(row);
  };
  return rows.rows(end - begin, features_of, begin + 1);
}

}  // namespace trellis::label
