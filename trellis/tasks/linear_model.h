// What models of one vector of weights have in common: the features that the weights are for, and
// how they came about.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/frame/stored_model.h"

namespace trellis {

template <class FeaturesOfTask>
struct LinearParts {
  using Features = FeaturesOfTask;
  Features features;
  std::vector<double> weights;  // as many as the features have dimensions
  std::shared_ptr<const Value> training;
};

template <class Model, class Parts>
class LinearModel : public StoredModel<Model, Parts> {
 public:
  using StoredModel<Model, Parts>::StoredModel;
  LinearModel(typename Parts::Features features, std::vector<double> weights, const Value& training)
      : LinearModel(Parts{std::move(features), std::move(weights), share(training)}) {}

  const auto& features() const { return this->parts().features; }
  std::span<const double> weights() const { return this->parts().weights; }
};

}  // namespace trellis
