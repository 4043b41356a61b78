// How the outputs of a factor graph are maximised or summed over. Neither is easy for graphs with
// cycles, and the method decides the guarantees of learning and prediction (structure/standing.h):
//
//   exact       the best assignment, by branch and bound       the loss is exact, unless a search
//                                                              reaches its limit
//   relaxed     the best point of the local polytope, by AD³   the loss is an upper bound of the
//                                                              exact one
//   beliefs     sums by loopy belief propagation               an estimate without a certificate
//   reweighted  upper bounds of sums                           the loss is an upper bound of the
//                                                              exact one, without a certificate
#pragma once

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::factors {

enum class Inference { kExact, kRelaxed, kBeliefs, kReweighted };
constexpr auto names_of(Inference) {
  return Names{"inference", "exact", "relaxed", "beliefs", "reweighted"};
}
// Maximum runs of AD³ in the search for the best assignment (solve/factors/map_search.h).
inline constexpr Index kSearchLimit = 1000;
// True: sums and marginals; false: best outputs.
constexpr bool sums(Inference inference) {
  return inference == Inference::kBeliefs || inference == Inference::kReweighted;
}

}  // namespace trellis::factors
