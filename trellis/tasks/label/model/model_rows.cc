#include "trellis/tasks/label/model/model_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::label {
namespace {

void require_fit(const FeatureRows& rows, const FeatureScaling& scaling) {
  const auto fits = [&](const std::vector<double>& numbers) {
    return numbers.empty() || numbers.size() == rows.width();
  };
  if (!fits(scaling.mean) || !fits(scaling.scale)) {
    throw UsageError("the scaling was made for another number of features");
  }
  if (!scaling.mean.empty() && !rows.is_dense()) {
    throw UsageError("sparse feature vectors cannot be centred");
  }
}

// Divides by the largest value first: squares of floats may overflow or underflow a double.
double length_of(std::span<const double> row) {
  double largest = 0;
  for (const double value : row) largest = std::max(largest, std::abs(value));
  if (!(largest > 0) || std::isinf(largest)) return largest;
  double sum = 0;
  for (const double value : row) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

float rounded(double value, Index row) {
  if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
    throw UsageError(
        fmt::format("a scaled feature of instance {} is beyond the range of a float", row));
  }
  return static_cast<float>(value);
}

}  // namespace

FeatureRows scaled(const FeatureRows& rows, const FeatureScaling& scaling, Index first) {
  require_fit(rows, scaling);
  const bool bias = scaling.bias != 0;
  FeatureRowsBuilder result(rows.width() + (bias ? 1 : 0), rows.is_dense(), rows.num_rows());
  std::vector<double> row;  // before scaling to length 1
  for (Index r = 0; r < rows.num_rows(); ++r) {
    row.clear();
    rows.for_each(r, [&](Index k, double x) {
      if (!scaling.mean.empty()) x -= scaling.mean[k];
      if (!scaling.scale.empty()) x *= scaling.scale[k];
      row.push_back(x);
    });
    const double length = scaling.unit_length ? length_of(row) : 0;
    result.begin_row();
    auto value = row.begin();
    rows.for_each(r, [&](Index k, double) {
      result.add(k, rounded(length > 0 ? *value / length : *value, first + r));
      ++value;
    });
    if (bias) result.add(rows.width(), rounded(scaling.bias, first + r));
  }
  return std::move(result).finish();
}

// Centred rows must be dense. Others keep their form, unless the model is so much wider than the
// file that rows would be mostly zeros.
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
                   "expected attributes that the model was trained with, found none: the first "
                   "attribute of the model is",
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

std::string ModelRows::none_known(const std::string& feature) const {
  if (model_.feature_names.empty()) return {};
  return fmt::format(
      "{}: none of the features (for example '{}') is known to the model, which has features such "
      "as '{}'",
      file_, feature, model_.feature_names.front());
}

FeatureRows ModelRows::in_order(Index count, const FeaturesOf& features_of) const {
  FeatureRowsBuilder rows(model_.feature_names.size(), dense_, count);
  std::vector<std::pair<std::uint32_t, float>> row;
  for (Index i = 0; i < count; ++i) {
    row.clear();
    for (const Feature& feature : features_of(i)) {
      const std::uint32_t k = number_of(feature.id);
      if (k != kNotInModel && feature.value != 0) row.emplace_back(k, feature.value);
    }
    if (!dense_) std::sort(row.begin(), row.end());
    rows.begin_row();
    for (const auto& [k, value] : row) rows.add(k, value);
  }
  return std::move(rows).finish();
}

FeatureRows ModelRows::rows(Index count, const FeaturesOf& features_of, Index first) const {
  const FeatureRows unscaled = in_order(count, features_of);
  try {
    return scaled(unscaled, model_.scaling, first);
  } catch (const UsageError& error) {  // about the data: the model's scaling is valid
    throw InputError(file_, 0, error.what());
  }
}

FeatureRows rows_between(const ModelRows& rows, const LabelData& data, Index begin, Index end) {
  std::vector<Feature> row;
  const auto features_of = [&](Index i) {
    row.clear();
    data.features.for_each(begin + i, [&](Index k, double x) {
      row.push_back({static_cast<std::uint32_t>(k), static_cast<float>(x)});
    });
    return std::span<const Feature>(row);
  };
  return rows.rows(end - begin, features_of, begin + 1);
}

}  // namespace trellis::label
