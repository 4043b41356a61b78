// How the outputs of a factor graph are found or summed over. Of a graph with cycles neither is
// easy, and what learning and predictions are worth depends on how it is done
// (structure/standing.h):
//
//   exact       the best assignment, by branch and bound       margins are exact, unless a search
//               reaches its limit
//   relaxed     the best point of the local polytope, by AD³   the loss is an upper bound of the
//                                                              exact one
//   beliefs     sums by loopy belief propagation               an estimate: nothing is certified
//   reweighted  sums bounded from above                        the loss is an upper bound of the
//                                                              exact one; nothing is certified
#pragma once

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::factors {

enum class Inference { kExact, kRelaxed, kBeliefs, kReweighted };
constexpr auto names_of(Inference) {
  return Names{"inference", "exact", "relaxed", "beliefs", "reweighted"};
}
// Runs of AD³ in the search for the best assignment of a graph (solve/factors/map_search.h).
inline constexpr Index kSearchLimit = 1000;
// Sums and marginals, or best outputs.
constexpr bool sums(Inference inference) {
  return inference == Inference::kBeliefs || inference == Inference::kReweighted;
}

}  // namespace trellis::factors
