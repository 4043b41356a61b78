// A trained model of factor graphs: what it knows of them, its weights, and how it was made.
#pragma once

#include <vector>

#include "trellis/data/value.h"
#include "trellis/tasks/factors/factor_features.h"
#include "trellis/tasks/factors/inference.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::factors {

struct FactorsParts : LinearParts<FactorFeatures> {
  Inference inference = Inference::kExact;  // what it was learned with
};

class FactorsModel : public LinearModel<FactorsModel, FactorsParts> {
 public:
  static constexpr ModelKind kKind{"factors"};
  static void describe(ModelArchive& a, FactorsParts& m);

  // The features are frozen.
  explicit FactorsModel(FactorsParts parts);
  FactorsModel(const FactorFeatures& features, Inference inference, std::vector<double> weights,
               const Value& training)
      : FactorsModel(FactorsParts{{features, std::move(weights), share(training)}, inference}) {}

  Inference inference() const { return parts().inference; }
};

}  // namespace trellis::factors
