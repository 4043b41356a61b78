// Assignments of the variables of a factor graph with soft and hard factors
// (solve/factors/factor_graph_layout.h, which numbers the parts): one state for each variable of
// two or more states, on or off for each switch, such that every hard factor allows the assignment.
//
//   s·z(y) = Σ_i s_i [state i is on] + Σ_f Σ_p s_p z_p(y)        p the own parts of factor f
//
//   maximize       branch and bound on AD³ (solve/factors/map_search.h)
//   k_best         Lawler's partition (solve/factors/k_best_assignments.h)
//
// exact up to differences of about 1e-12 of the sum of all |scores|. The problem is NP-hard, so
// either may take long; if the relaxation is tight they do not. search_within limits the number of
// AD³ runs and returns a bound; LimitedSearch makes a structure from that search. Scores are
// rounded once (solve/vectors/exact_sum.h).
//
// linear_program() is the local polytope: the convex hulls of the factors' assignments, connected
// by the states that they share. It is a relaxation, whose vertices may be fractional;
// RelaxedFactorGraph is the structure of that polytope.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/k_best_assignments.h"
#include "trellis/solve/factors/map_search.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

class FactorGraph {
 public:
  using Output = std::vector<std::uint32_t>;  // a value for each variable
  struct Scratch {
    MapSearch search;
    MapResult result;  // tells of the last maximize
    KBestAssignments k_best;
    std::vector<KBestAssignments::Result> best;
  };
  static constexpr bool kRelaxedProgram = true;  // see Structure

  // `layout` must outlive the structure.
  explicit FactorGraph(const FactorGraphLayout& layout) : layout_(&layout) {}

  const FactorGraphLayout& layout() const { return *layout_; }
  Index num_parts() const { return layout_->num_parts(); }

  bool legal(const Output& y) const { return layout_->legal(y); }
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  // If no assignment is legal, y is empty.
  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  // The best assignment found within the limit: value −∞ and an empty y if none was found. The
  // bounds are equal if the search ended before the limit.
  MaximumBounds search_within(Index most_runs, std::span<const double> s, Scratch& scratch,
                              Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  LinearProgram linear_program() const;

 private:
  const FactorGraphLayout* layout_;
};

static_assert(KBest<FactorGraph> && RelaxedProgram<FactorGraph>);

}  // namespace trellis
