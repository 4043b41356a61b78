// The nearest point of the matching polytope,
//
//   min ½ ‖z − v‖²    z ≥ 0,  Σ_j z_ij ≤ 1 for each row,  Σ_i z_ij ≤ 1 for each column
//
// with equality on the sides that a perfect matching covers: a min-cost quadratic flow (Taskar,
// Lacoste-Julien & Jordan 2006; fig. 2.3 of the thesis), solved here by its dual. By duality
// z_ij = max(0, v_ij − α_i − β_j), where α and β (≥ 0 where the constraint is an inequality)
// minimise the convex function
//
//   φ(α, β) = ½ Σ_ij max(0, v_ij − α_i − β_j)² + Σ_i α_i + Σ_j β_j ,
//
// which is quadratic between kinks and has a continuous gradient: 1 minus the sums of z.
//
// 1. The duals of the assignment with weights v make v_ij − α_i − β_j small wherever z can be
//    positive, whatever the scale of v; the next steps use that difference, and the edges where it
//    is not far below 0.
// 2. The duals of the larger side are eliminated: given the others, each is the threshold of a
//    projection onto a simplex. The rest, ψ, has one variable for each node of the smaller side
//    and the Schur complement as its generalised Hessian.
// 3. Projected Newton steps (Bertsekas 1982) minimise ψ, damped à la Levenberg and Marquardt if
//    they fail. Once the support of z is right a step is exact, so it ends after finitely many.
// 4. Before a step that could bring in an omitted edge, that edge is added.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/assignment.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/solve/matchings/matching_dual.h"
#include "trellis/solve/polytopes/polytope_projection.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class MatchingProjector {
 public:
  static constexpr double kTolerance = 1e-10;  // of the residual of what is called optimal

  // `v` is finite; v and z have an entry for each edge, and may be the same memory. The residual is
  // the dual's, of the sums of z over nodes. z is left alone where the polytope is empty (no
  // perfect matching).
  ProjectionResult project(const BipartiteGraph& graph, std::span<const double> v, Cover cover,
                           std::span<double> z);

  // α and β of the last projection.
  std::span<const double> row_duals() const { return row_duals_; }
  std::span<const double> column_duals() const { return column_duals_; }
  Index newton_steps() const { return dual_.steps(); }

 private:
  void set_bounds(const BipartiteGraph& graph, Cover cover);
  void choose_margins(MatchingDual::Outcome outcome);
  void collect_candidates(const BipartiteGraph& graph, std::span<const double> v);
  void write_result(const BipartiteGraph& graph, std::span<const double> v, Cover cover,
                    std::span<double> z);

  AssignmentSolver assignment_;
  MatchingDual dual_;
  bool rows_are_inner_ = true;
  std::vector<double> margin_, least_, shift_;  // candidates are edges with r − shift_o > least_i
  std::vector<Index> place_;
  std::vector<double> row_duals_, column_duals_, sums_;
};

// How far (z, α, β) is from the optimality conditions: the largest violation of
//   z_ij = max(0, v_ij − α_i − β_j),   Σ_j z_ij = 1 or 0 ≤ α_i ⟂ 1 − Σ_j z_ij ≥ 0,   β likewise,
// relative to max(1, ‖v‖∞).
double matching_kkt_residual(const BipartiteGraph& graph, std::span<const double> v, Cover cover,
                             std::span<const double> z, std::span<const double> alpha,
                             std::span<const double> beta);

}  // namespace trellis
