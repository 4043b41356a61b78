// Factor graphs whose sums are upper bounds: tree-reweighted over forests of factors
// (solve/factors/reweighted_sums.h; Wainwright, Jaakkola & Willsky 2005). All other operations are
// those of FactorGraph.
//
// log_partition is never below log Σ exp(s·z(y)), up to rounding, even before convergence, and so
// not below the score of any output: a loss log_partition(s)/β − s·z(y_i) is not negative. The
// minimum of the bound over its own variables is a convex function of s. Marginals are the gradient
// of that function only up to the residual of convergence(): the largest difference of a state's
// marginal from the mean of the forests, or derivative in their weights. With few evaluations the
// residual is far from 0. Exact if the graph is acyclic.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/solve/factors/reweighted_sums.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"

namespace trellis {

class ReweightedFactorGraph : public FactorGraph {
 public:
  struct Scratch : FactorGraph::Scratch {
    ReweightedSums sums;
  };
  static constexpr Standing kSumStanding = Standing::kUpperBound;

  // `cover` must outlive the structure, and its layout the cover.
  explicit ReweightedFactorGraph(const ForestCover& cover, const ReweightedOptions& options = {})
      : FactorGraph(cover.layout()), cover_(&cover), options_(options) {}

  const ForestCover& cover() const { return *cover_; }

  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const {
    return scratch.sums.log_sum(*cover_, s, options_, marginals);
  }
  // The average entropy of the distributions of the forests.
  double entropy(std::span<const double> s, Scratch& scratch) const {
    return scratch.sums.entropy(*cover_, s, options_);
  }

  static const Convergence& convergence(const Scratch& scratch) {
    return scratch.sums.convergence();
  }

 private:
  const ForestCover* cover_;
  ReweightedOptions options_;
};

static_assert(IterativeSummer<ReweightedFactorGraph> && KBest<ReweightedFactorGraph> &&
              RelaxedProgram<ReweightedFactorGraph> &&
              standing_of_sums<ReweightedFactorGraph>() == Standing::kUpperBound);

}  // namespace trellis
