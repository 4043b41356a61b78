#include "trellis/tasks/classify/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::classify {
namespace {

constexpr Index kFeaturesOfAPivot = 3;

std::string pivot_name(const ClassifyModel& model, Index p) {
  const auto ids = model.kernel()->rows().ids_of(p);
  const auto values = model.kernel()->rows().values_of(p);
  std::vector<double> sizes;
  for (const float value : values) sizes.push_back(std::abs(static_cast<double>(value)));
  std::string name = "like";
  for (const Index k : strongest_positive(sizes, kFeaturesOfAPivot)) {
    name.append(" ").append(model.feature_name(ids[k]));
  }
  return name;
}

std::string row_name(const ClassifyModel& model, Index row) {
  const Index first = model.features().bias ? 1 : 0;
  if (model.kernel() != nullptr && row >= first) return pivot_name(model, row - first);
  return std::string(model.feature_name(static_cast<AttributeId>(row)));
}

// The weights of one label, by row of the model: for columns scaled as in training, and per unit of
// the column in the file.
struct LabelWeights {
  std::vector<double> scaled;
  std::vector<double> in_units;
};

LabelWeights weights_of(const ClassifyModel& model, std::span<const double> means, Index label) {
  LabelWeights weights;
  for (Index r = 0; r < model.num_rows(); ++r) {
    weights.scaled.push_back(model.row(r)[label] - means[r]);
  }
  weights.in_units = weights.scaled;
  const ColumnScale& scale = model.scale();
  if (scale.empty() || model.kernel() != nullptr) return weights;
  double shifted = 0;
  for (Index a = 0; a < weights.in_units.size(); ++a) {
    weights.in_units[a] *= scale.factors()[a];
    shifted += scale.shifts()[a] * weights.in_units[a];
  }
  if (model.features().bias) weights.in_units[0] -= shifted;
  return weights;
}

Value feature_list(const std::vector<WeightedFeature>& features) {
  Value list = Value::list();
  for (const auto& feature : features) {
    list.push_back(Value::record({{"feature", feature.name}, {"weight", feature.weight}}));
  }
  return list;
}

}  // namespace

std::vector<LabelFeatures> strongest_features(const ClassifyModel& model, Index top) {
  const Index num_labels = model.labels().size();
  std::vector<double> means(model.num_rows());
  for (Index a = 0; a < means.size(); ++a) {
    const auto row = model.row(a);
    means[a] = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(num_labels);
  }
  std::vector<LabelFeatures> all;
  for (Index y = 0; y < num_labels; ++y) {
    const LabelWeights weights = weights_of(model, means, y);
    const auto list = [&](const std::vector<Index>& places) {
      std::vector<WeightedFeature> features;
      for (const Index a : places) features.push_back({row_name(model, a), weights.in_units[a]});
      return features;
    };
    all.push_back({model.labels()[y], list(strongest_positive(weights.scaled, top)),
                   list(strongest_negative(weights.scaled, top))});
  }
  return all;
}

Value inspect_record(const ClassifyModel& model, Index top) {
  Value record = model.meta();
  record.erase("beta");
  record["probabilities"] = model.beta().has_value();
  record["scaled"] = !model.scale().empty();
  record["features"] = model.num_features();
  if (model.kernel() != nullptr) record["pivots"] = model.kernel()->size();
  Value strongest = Value::record();
  for (const auto& label : strongest_features(model, top)) {
    strongest[label.label] = Value::record(
        {{"for", feature_list(label.positive)}, {"against", feature_list(label.negative)}});
  }
  record["strongest"] = std::move(strongest);
  return record;
}

std::string inspect_text(const ClassifyModel& model, Index top) {
  const FeatureOptions& features = model.features();
  std::string text =
      fmt::format("{}: {} labels, {} features ({}, {}{})\n", model.name(), model.labels().size(),
                  model.num_features(), to_string(features.format), to_string(features.weighting),
                  features.normalize ? ", length 1" : "");
  text += provenance_text(model.training());
  if (!model.scale().empty()) {
    text +=
        "columns were scaled: the order is by scaled weights, the weights shown are in the units "
        "of the file\n";
  }
  const auto add = [&](const std::vector<WeightedFeature>& list) {
    for (const auto& one : list) text += fmt::format("  {:+9.4f}  {}\n", one.weight, one.name);
  };
  for (const auto& label : strongest_features(model, top)) {
    text += "\n" + label.label + "\n";
    add(label.positive);
    add(label.negative);
  }
  return text;
}

}  // namespace trellis::classify
