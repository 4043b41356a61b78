// Maximum-weight bipartite matching, with its dual as a certificate:
//
//   max Σ_ij s_ij z_ij     z a matching of the kind asked (Cover)
//   min Σ_i u_i + Σ_j v_j  u_i + v_j ≥ s_ij on every edge
//
// At the optimum u_i + v_j = s_ij on the edges of the matching, so both values are equal. Dual
// variables are ≥ 0, and 0 at nodes that stay single, except those of a side that a perfect
// matching must cover: these are free.
//
// Rows bid for columns and prices v_j only increase (the augmenting row reduction of Jonker &
// Volgenant 1987; an auction without ε), then each remaining row finds a shortest augmenting path.
// A partial matching gives each row a private column of weight 0, the value of staying single. A
// perfect matching of more rows than columns is solved with the sides exchanged.
//
// Time: O(n² m) for a complete graph with n ≤ m nodes on its sides, O(n E log E) for E edges. Exact
// up to rounding: every comparison is between sums of weights along paths, so weights that are
// integers (or multiples of one power of two) give the true optimum. Of several optimal matchings
// the result is always the same one, but no rule is promised, except that a partial matching has no
// edge of weight ≤ 0.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/assignment_state.h"
#include "trellis/solve/matchings/bipartite.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class AssignmentSolver {
 public:
  // `weights` are finite, one for each edge. Returns whether there is a matching of this kind: a
  // graph that is not complete may have no perfect one, and then there is no result to read.
  bool solve(const BipartiteGraph& graph, std::span<const double> weights, Cover cover);

  std::span<const Label> column_of_row() const { return column_of_row_; }  // kNoLabel: single
  std::span<const Label> row_of_column() const { return row_of_column_; }
  std::span<const double> row_duals() const { return row_duals_; }
  std::span<const double> column_duals() const { return column_duals_; }

 private:
  void transpose(const BipartiteGraph& graph, std::span<const double> weights);
  void write_result(bool swapped);

  AssignmentState state_;
  DenseSearchMemory dense_;
  SparseSearchMemory sparse_;
  // The graph the other way round.
  std::vector<double> turned_weights_;
  std::vector<Index> turned_begin_;
  std::vector<std::uint32_t> turned_column_;
  // What the caller reads.
  std::vector<Label> column_of_row_, row_of_column_;
  std::vector<double> row_duals_, column_duals_;
};

}  // namespace trellis
