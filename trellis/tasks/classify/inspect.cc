#include "trellis/tasks/classify/inspect.h"

#include <numeric>

#include "trellis/tasks/strongest_weights.h"

namespace trellis::classify {

std::vector<LabelFeatures> strongest_features(const ClassifyModel& model, Index top) {
  const Index num_labels = model.labels().size();
  std::vector<double> means(model.num_features());
  for (AttributeId a = 0; a < means.size(); ++a) {
    const auto row = model.row(a);
    means[a] = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(num_labels);
  }
  std::vector<LabelFeatures> all;
  std::vector<double> weights(model.num_features());
  const auto list = [&](const std::vector<Index>& places) {
    std::vector<WeightedFeature> features;
    for (const Index a : places) {
      features.push_back(
          {std::string(model.feature_name(static_cast<AttributeId>(a))), weights[a]});
    }
    return features;
  };
  for (Index y = 0; y < num_labels; ++y) {
    for (AttributeId a = 0; a < weights.size(); ++a) weights[a] = model.row(a)[y] - means[a];
    all.push_back({model.labels()[y], list(strongest_positive(weights, top)),
                   list(strongest_negative(weights, top))});
  }
  return all;
}

}  // namespace trellis::classify
