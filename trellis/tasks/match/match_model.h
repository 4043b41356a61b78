// A trained matcher: what it makes of graphs or shapes, its weights, and how it was made.
#pragma once

#include <utility>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/data/value.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

enum class Estimator {
  kMap,  // the conditional likelihood of the matchings (Petterson 2011, 5.4): has probabilities
  kMaxMargin,  // the margin loss with Hamming cost (Caetano et al. 2009)
  kDistance,   // nothing is learned: every difference of shape contexts counts −1
};
constexpr auto names_of(Estimator) {
  return Names{"estimator", "map", "max-margin", "distance"};
}

struct MatchParts : LinearParts<MatchFeatures> {
  Estimator estimator = Estimator::kMap;
};

class MatchModel : public LinearModel<MatchModel, MatchParts> {
 public:
  static constexpr ModelKind kKind{"match"};
  static void describe(ModelArchive& a, MatchParts& m);

  using LinearModel::LinearModel;
  MatchModel(MatchFeatures features, Estimator estimator, std::vector<double> weights,
             const Value& training)
      : MatchModel(
            MatchParts{{std::move(features), std::move(weights), share(training)}, estimator}) {}

  Estimator estimator() const { return parts().estimator; }
};

}  // namespace trellis::match
