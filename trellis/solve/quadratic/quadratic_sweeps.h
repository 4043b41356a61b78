// Upper bounds for a quadratic problem by sequential reweighted message passing (Kolmogorov 2015,
// "A new look at reweighted message passing", there for any factor graph; in trees it is TRW-S,
// Kolmogorov 2006).
//
// A pass visits the edges e in order. The belief of e is its value given all shares but its own:
// the sum of its max-marginals over the edge itself, its nodes and its pairs f,
//
//   b_e = s_e + Σ_f δ_fe ,    δ_fe = max_{z_e = 1} f − max_{z_e = 0} f   without v_fe ,
//
// for a pair  δ_pa = min(s_p, max(0, s_p + v_pb)),  for a node with the shares t_1 ≥ t_2 ≥ … of its
// other edges  δ_ne = −c_1 + Σ_{i<C} max(0, t_i − c_{i+1}) − Σ_{i≤C} max(0, t_i − c_i). The shares
// of e are then set so that its belief is passed in equal portions to the nodes and pairs with
// edges still to come; the others keep a max-marginal of 0. That never increases the bound.
//
// The bound with z_e forced is the bound minus |b_e|: if that is no better than a known output, the
// edge is decided.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/quadratic/quadratic_problem.h"

namespace trellis {

// The upper bound that the shares of a problem prove.
double quadratic_bound(const QuadraticProblem& problem);

enum class SweepDirection { kForward, kBackward };

// One pass, O(Σ_n degree² + pairs). `bound` is that of the problem before, and becomes that after.
// Writes the belief of each edge, and into `states` those that are decided if values up to `enough`
// are of no interest; returns whether there are any.
bool sweep(QuadraticProblem& problem, SweepDirection direction, double enough, double& bound,
           std::span<double> beliefs, std::span<EdgeState> states);

}  // namespace trellis
