// How the outputs of a factor graph are found or summed over. Of a graph with cycles neither is
// easy, and what learning and predictions are worth depends on how it is done
// (structure/standing.h):
//
//   exact       the best assignment, by branch and bound       margins are exact
//   relaxed     the best point of the local polytope, by AD³   the loss is an upper bound of the
//                                                              exact one
//   beliefs     sums by loopy belief propagation               an estimate: nothing is certified
//   reweighted  sums bounded from above                        the loss is an upper bound of the
//                                                              exact one; nothing is certified
#pragma once

#include "trellis/base/names.h"

namespace trellis::factors {

enum class Inference { kExact, kRelaxed, kBeliefs, kReweighted };
constexpr auto names_of(Inference) {
  return Names{"inference", "exact", "relaxed", "beliefs", "reweighted"};
}
// Sums and marginals, or best outputs.
constexpr bool sums(Inference inference) {
  return inference == Inference::kBeliefs || inference == Inference::kReweighted;
}

}  // namespace trellis::factors
