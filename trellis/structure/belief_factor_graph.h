// Factor graphs whose sums are estimates: beliefs and Bethe's log Z by loopy belief propagation
// (solve/factors/belief_propagation.h; Smith & Eisner 2008). Outputs and parts are those of
// FactorGraph.
//
// Exact where the graph is acyclic; elsewhere an estimate of no standing (kNeither), from which a
// loss can come out negative (Martins et al. 2010, note 17). ReweightedFactorGraph has a bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/belief_propagation.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"

namespace trellis {

class BeliefFactorGraph {
 public:
  using Output = std::vector<std::uint32_t>;  // a value for each variable
  struct Scratch {
    BeliefPropagation beliefs;  // its convergence() tells of the last call
  };
  static constexpr Standing kSumStanding = Standing::kNeither;
  static constexpr bool kRelaxedProgram = true;  // see Structure

  // `layout` must outlive the structure.
  explicit BeliefFactorGraph(const FactorGraphLayout& layout, const BeliefOptions& options = {})
      : layout_(&layout), options_(options) {}

  const FactorGraphLayout& layout() const { return *layout_; }
  Index num_parts() const { return layout_->num_parts(); }

  bool legal(const Output& y) const { return layout_->legal(y); }
  void indicator(const Output& y, std::span<double> z) const { layout_->indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const { return layout_->score(s, y); }

  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const {
    return scratch.beliefs.log_sum(*layout_, s, options_, marginals);
  }
  // Bethe's: below 0 where beliefs are far from those of any distribution.
  double entropy(std::span<const double> s, Scratch& scratch) const {
    return scratch.beliefs.entropy(*layout_, s, options_);
  }
  LinearProgram linear_program() const;

 private:
  const FactorGraphLayout* layout_;
  BeliefOptions options_;
};

static_assert(Summer<BeliefFactorGraph> && RelaxedProgram<BeliefFactorGraph> &&
              standing_of_sums<BeliefFactorGraph>() == Standing::kNeither);

}  // namespace trellis
