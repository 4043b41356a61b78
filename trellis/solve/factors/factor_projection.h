// The nearest point of a small factor's polytope, in closed form (Martins, Figueiredo, Aguiar,
// Smith & Xing 2015, sec. 5): argmin ½‖q − a‖² over the hull of what is legal, where the states of
// negated literals count as 1 − q.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

struct PairPoint {
  double first = 0, second = 0, both = 0;
};

// argmin ½(q₁ − a₁)² + ½(q₂ − a₂)² − w·v,  max(0, q₁ + q₂ − 1) ≤ v ≤ min(q₁, q₂) (eq. 42–45 there).
// For w ≥ 0 v is the smaller of the two: each q_i is a_i, or a_i + w where it is the smaller, or
// both meet between. A w < 0 is that of 1 − q₂, since max(0, q₁ + q₂ − 1) = q₁ − min(q₁, 1 − q₂).
inline PairPoint project_pair(double a1, double a2, double w) {
  const bool flipped = w < 0;
  const double first = flipped ? a1 + w : a1;
  const double second = flipped ? 1 - a2 : a2;
  const double size = flipped ? -w : w;
  const double difference = first - second;
  // How much of w the first gets: all where it stays the smaller, none where it is the larger.
  const double share = std::clamp(0.5 * (size - difference), 0.0, size);
  const double q1 = std::clamp(first + share, 0.0, 1.0);
  const double q2 = std::clamp(second + (size - share), 0.0, 1.0);
  const double smaller = std::min(q1, q2);
  return flipped ? PairPoint{q1, 1 - q2, q1 - smaller} : PairPoint{q1, q2, smaller};
}

// The same for many pairs with a = scale · b and w = scale · score, all scores of them positive, or
// all negative.
void project_attractive_pairs(const double* score, const double* b1, const double* b2, double scale,
                              Index size, double* q1, double* q2);
void project_repulsive_pairs(const double* score, const double* b1, const double* b2, double scale,
                             Index size, double* q1, double* q2);

// ONE-OF, AT-MOST-ONE, OR and BUDGET. `memory` is the caller's, reused from call to call. q may be
// a itself.
void project_logical(FactorKind kind, std::span<const Literal> literals, Index budget,
                     std::span<const double> a, std::span<double> q, std::vector<double>& memory);

}  // namespace trellis
