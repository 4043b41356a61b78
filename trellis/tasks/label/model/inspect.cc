#include "trellis/tasks/label/model/inspect.h"

#include <algorithm>
#include <cmath>

#include "trellis/tasks/strongest_weights.h"

namespace trellis::label {

std::vector<LabelView> strongest_features(const LabelModelParts& model, Index top) {
  const Index num_labels = model.num_labels();
  const Index num_features = model.feature_names.size();
  std::vector<double> weights(num_features);
  const auto list = [&](const std::vector<Index>& places) {
    std::vector<WeightedName> features;
    for (const Index k : places) features.push_back({model.feature_names[k], weights[k]});
    return features;
  };
  std::vector<LabelView> views;
  for (Index v = 0; v < num_labels; ++v) {
    for (Index k = 0; k < num_features; ++k) weights[k] = model.weights[k * num_labels + v];
    LabelView view;
    view.label = model.label_names[v];
    view.threshold = model.thresholds[v];
    if (model.scaling.bias != 0) {
      view.constant = model.scaling.bias * model.weights[num_features * num_labels + v];
    }
    view.positive = list(strongest_positive(weights, top));
    view.negative = list(strongest_negative(weights, top));
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<LabelLink> strongest_links(const LabelModelParts& model, Index top) {
  std::vector<LabelLink> links;
  const auto add = [&](std::uint32_t from, std::uint32_t to, double weight) {
    if (weight != 0) links.push_back({from, to, weight});
  };
  for (Index p = 0; p < model.pairs.size(); ++p) {
    add(model.pairs[p].j, model.pairs[p].k, model.couplings[p]);
  }
  const Index num_labels = model.num_labels();
  for (Index k = 0; k < model.chain_weights.size(); ++k) {
    add(static_cast<std::uint32_t>(k % num_labels), static_cast<std::uint32_t>(k / num_labels),
        model.chain_weights[k]);
  }
  std::stable_sort(links.begin(), links.end(), [](const LabelLink& a, const LabelLink& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  links.resize(std::min(top, links.size()));
  return links;
}

}  // namespace trellis::label
