// A convex quadratic program over the simplex, by an active-set method that is exact up to
// rounding:
//
//   min_α  ½ αᵀGα − bᵀα     subject to  α ≥ 0,  Σ_j α_j = 1
//
// G is symmetric and positive semidefinite, and may be singular (rows that repeat). At the optimum
// there is a μ with g_j = (Gα − b)_j ≥ μ, and g_j = μ wherever α_j > 0.
//
// The method keeps a support S on which G is positive definite over {p : Σ p_j = 0}, as Wolfe's
// (1976) algorithm for the nearest point of a polytope does; with b = 0 it is that algorithm. It
// moves to the minimum over the affine hull of S, in closed form, or stops where the first α_j
// reaches 0 and leaves S; if the minimum is inside, the row with the lowest g_j enters S. A row
// that would make S dependent has a direction p without curvature, Gp = 0 and Σ p_j = 0, along
// which the objective is linear: α moves along it until a row of S has no mass, and that row
// leaves. On the simplex G and G + t·11ᵀ differ only by a constant, and the latter is positive
// definite on S, so it keeps only one Cholesky factor (t = the largest G_jj).
//
// Every step decreases the objective and no support occurs twice, so the number of steps is finite.
// A row enters in O(|S|²) time, one leaves in O(|S|³) at worst, and each step reads |S| columns of
// G. Designed for bundle methods: a few hundred rows, one more at each call, a start that is nearly
// optimal. (solve/polytopes/hildreth.h is for a few rows from scratch, and approximate.)
#pragma once

#include <span>

#include "trellis/base/types.h"

namespace trellis {

struct SimplexQpResult {
  // max{g_j : α_j > 0} − min_j g_j; 0 at the optimum. More than 1e-12 of the largest |b_j| +
  // Σ_k |G_jk| α_k is left only where rounding, or 10000 steps, allow no more.
  double violation;
  Index steps;
};

// `gram` is k × k by rows, k > 0; `linear` is b. alpha: in, a start (values ≥ 0, scaled here to
// sum 1; all 0: the best vertex); out, the solution, whose sum is 1 up to rounding.
SimplexQpResult simplex_qp(std::span<const double> gram, std::span<const double> linear,
                           std::span<double> alpha);

}  // namespace trellis
