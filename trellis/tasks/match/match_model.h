// A trained matcher: what it makes of graphs or shapes, its weights, and how it was made.
//
// Model file, kind "match", version 1:
//   meta      JSON: input ("graphs" or "pairs"), cover, estimator; graphs: named; pairs: rings,
//             sectors, inner, outer, difference, points, outline; training
//   names/offsets, names/bytes   graphs with named features: their names (data/name_list.h)
//   weights   float64: one for each feature of an edge
#pragma once

#include <cstdint>
#include <string_view>
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

class MatchModel : public LinearModel<MatchModel, MatchFeatures> {
 public:
  static constexpr std::string_view kKind = "match";
  static constexpr std::uint32_t kVersion = 1;

  MatchModel(MatchFeatures features, Estimator estimator, std::vector<double> weights,
             const Value& training);

  static MatchModel from_file(const ModelReader& reader, const Value& meta);
  ModelWriter writer() const;

  Estimator estimator() const { return estimator_; }

 private:
  Estimator estimator_;
};

}  // namespace trellis::match
