// Inference for second-order parsers, whose best trees and sums are hard to compute.
//
//   search      parsing: the best tree, unless the search reaches its limit
//               (structure/trees/higher_order_search.h)
//   relaxed     training with hinge losses: points of the local polytope, an upper bound
//   reweighted  training with smooth losses, and arc probabilities: an upper bound of log Σ
//   beliefs     the same by loopy belief propagation, an estimate
//
// The last two are iterative, and a limit may end them before they converge. Their marginals equal
// the gradient of the value only up to the remaining residual.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/belief_propagation.h"
#include "trellis/solve/factors/reweighted_sums.h"
#include "trellis/structure/graphs/belief_factor_graph.h"
#include "trellis/structure/graphs/reweighted_factor_graph.h"
#include "trellis/structure/trees/higher_order_tree.h"
#include "trellis/structure/trees/relaxed_higher_order_tree.h"
#include "trellis/tasks/parse/model/arc_example.h"

namespace trellis::parse {

enum class PairInference { kRelaxed, kReweighted, kBeliefs };
constexpr auto names_of(PairInference) {
  return Names{"inference", "relaxed", "reweighted", "beliefs"};
}

using BeliefTree = HigherOrderTree<BeliefFactorGraph>;
using ReweightedTree = HigherOrderTree<ReweightedFactorGraph>;

// When an inference ends; empty limits have the defaults of their purpose.
struct InferenceLimits {
  static constexpr Index kMostIterations = 1000000;

  std::optional<Index> iterations;  // sweeps of beliefs, evaluations of the bound, rounds of AD³
  std::optional<double> tolerance;  // on the residual
  std::optional<double> damping;    // for beliefs: the share of an old message that is kept

  bool any() const { return iterations || tolerance || damping; }
  bool operator==(const InferenceLimits&) const = default;
  // Throws UsageError for values out of range, and for damping with another inference.
  void check(std::optional<PairInference> inference) const;

  // " iterations=50 damping=0.5": the given limits, for provenance and identities.
  std::string to_text() const;

  Ad3Options of(Ad3Options options) const;
  ReweightedOptions of(ReweightedOptions options) const;
  BeliefOptions of(BeliefOptions options) const;
};

// Maximum nodes of the search for the best tree if the relaxation is not tight.
inline constexpr Index kMostSearchRuns = 64;
// In training: only as exact as weights that change at every step require.
inline constexpr Ad3Options kLearningRelaxation{100, 1e-4, 1e-7};
inline constexpr ReweightedOptions kLearningSums{30, 1e-3};
// Undamped messages about pairs of arcs oscillate for large weights; training then gets worse with
// every pass.
inline constexpr BeliefOptions kDecodingBeliefs = [] {
  BeliefOptions options;
  options.damping = 0.5;
  return options;
}();
inline constexpr BeliefOptions kLearningBeliefs = [] {
  BeliefOptions options = kDecodingBeliefs;
  options.max_iterations = 50;
  options.tolerance = 1e-4;
  return options;
}();

// The trees of a sentence; S is any of the structures above or a structure of arcs alone.
template <class S>
S structure_of(const ArcExample& example, Roots roots, const InferenceLimits& limits) {
  const DependencyArcs& arcs = example.arcs.parts;
  if constexpr (std::same_as<S, RelaxedHigherOrderTree>) {
    return S(arcs, *example.graph, limits.of(kLearningRelaxation));
  } else if constexpr (std::same_as<S, ReweightedTree>) {
    return S(arcs, *example.graph, ReweightedFactorGraph(*example.cover, limits.of(kLearningSums)));
  } else if constexpr (std::same_as<S, BeliefTree>) {
    return S(arcs, *example.graph,
             BeliefFactorGraph(example.graph->layout(), limits.of(kLearningBeliefs)));
  } else {
    return S(arcs, roots);
  }
}

}  // namespace trellis::parse
