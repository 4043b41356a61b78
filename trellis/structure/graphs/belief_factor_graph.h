// Factor graphs whose sums are estimates: beliefs and Bethe's log Z by loopy belief propagation
// (solve/factors/belief_propagation.h; Smith & Eisner 2008). All else is FactorGraph's.
//
// Exact where the graph is acyclic; elsewhere an estimate of no standing (kNeither), from which a
// loss can come out negative (Martins et al. 2010, note 17). ReweightedFactorGraph has a bound.
//
// The estimate is stationary in the messages at a fixed point, and there the beliefs are its
// gradient. Where the iteration ended before, they are so only up to the residual of convergence():
// the largest change of a message (a log-odds) in the last sweep.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/factors/belief_propagation.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"

namespace trellis {

class BeliefFactorGraph : public FactorGraph {
 public:
  struct Scratch : FactorGraph::Scratch {
    BeliefPropagation beliefs;
  };
  static constexpr Standing kSumStanding = Standing::kNeither;

  // `layout` must outlive the structure.
  explicit BeliefFactorGraph(const FactorGraphLayout& layout, const BeliefOptions& options = {})
      : FactorGraph(layout), options_(options) {}

  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const {
    return scratch.beliefs.log_sum(layout(), s, options_, marginals);
  }
  // Bethe's: below 0 where beliefs are far from those of any distribution.
  double entropy(std::span<const double> s, Scratch& scratch) const {
    return scratch.beliefs.entropy(layout(), s, options_);
  }

  static const Convergence& convergence(const Scratch& scratch) {
    return scratch.beliefs.convergence();
  }

 private:
  BeliefOptions options_;
};

static_assert(IterativeSummer<BeliefFactorGraph> && KBest<BeliefFactorGraph> &&
              RelaxedProgram<BeliefFactorGraph> &&
              standing_of_sums<BeliefFactorGraph>() == Standing::kNeither);

}  // namespace trellis
