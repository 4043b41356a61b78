// The nearest point of a small factor's polytope, in closed form (Martins, Figueiredo, Aguiar,
// Smith & Xing 2015, sec. 5): argmin ½‖q − a‖² over the hull of what is legal, where the states of
// negated literals count as 1 − q.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

// PAIRs, `size` of them at once, with a = scale · b and w = scale · score of both:
//
//   argmin ½(q₁ − a₁)² + ½(q₂ − a₂)² − w·v,    max(0, q₁ + q₂ − 1) ≤ v ≤ min(q₁, q₂)
//
// (eq. 42–45 there). For w ≥ 0 v is the smaller of the two: each q_i is a_i, or a_i + w where it is
// the smaller, or both meet between. A w < 0 is that of 1 − q₂, since max(0, q₁ + q₂ − 1) =
// q₁ − min(q₁, 1 − q₂). All scores are ≥ 0 for the first, and ≤ 0 for the second.
void project_attractive_pairs(const double* score, const double* b1, const double* b2, double scale,
                              Index size, double* q1, double* q2);
void project_repulsive_pairs(const double* score, const double* b1, const double* b2, double scale,
                             Index size, double* q1, double* q2);

// ONE-OF, AT-MOST-ONE, OR and BUDGET. `memory` is the caller's, reused from call to call. q may be
// a itself.
void project_logical(FactorKind kind, std::span<const Literal> literals, Index budget,
                     std::span<const double> a, std::span<double> q, std::vector<double>& memory);

}  // namespace trellis
