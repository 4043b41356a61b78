// A small quadratic program over a capped cone, by row actions (Hildreth 1957; Censor & Zenios
// 1997, sec. 6.5):
//
//   max_α  Σ_j α_j r_j − ½ Σ_jk α_j α_k G_jk     subject to  α ≥ 0,  Σ_j α_j ≤ cap
//
// G = A Aᵀ is the Gram matrix of the rows a_j. It is the dual of
//
//   min_{v,ξ}  ½‖v‖² + cap·ξ     subject to  r_j + ⟨a_j, v⟩ ≤ ξ  for all j,   ξ ≥ 0
//
// with v = −Σ_j α_j a_j. Hildreth's method without a cap maximises over one α_j at a time. With a
// cap that can get stuck where Σ α = cap, so a row action here moves mass between two rows; the
// unused cap is the mass of one more row, the zero row (r = 0, a = 0, from ξ ≥ 0), and a move
// between that and row j is Hildreth's own step, clipped. Mass goes to the row with the highest
// gradient, from the row that promises the highest rise (Fan, Chen & Lin 2005, who prove
// convergence).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// `gram` is k × k by rows, symmetric and positive semidefinite; `residuals` and `alpha` have k
// entries; cap ≥ 0, may be infinite. alpha: on return, the multipliers. Returns the remaining
// violation: max_j g_j − min{g_j : α_j > 0} over all rows and the zero row, g = r − Gα; 0 at the
// optimum. Stops if no pair violates the optimality conditions by more than 1e-10 of the largest
// |r|, and after 10000 row actions. With an infinite cap and contradictory rows there is no
// optimum, and a violation remains.
double hildreth(std::span<const double> gram, std::span<const double> residuals, double cap,
                std::span<double> alpha);

}  // namespace trellis
