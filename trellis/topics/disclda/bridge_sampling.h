// The ratio of two normalisers from draws of both distributions (Meng & Wong 1996; Lacoste-Julien
// 2009, appendix 4.B). For p_0 = q_0 / Z_0 and p_1 = q_1 / Z_1, any bridge q_b between them has
//
//   Z_1 / Z_0 = E_0[q_b / q_0] / E_1[q_b / q_1].
//
// All that is needed of a draw z is x(z) = log q_1(z) − log q_0(z). Everything is in logarithms:
// ratios may be as large as e^±10⁶.
#pragma once

#include <span>

namespace trellis::topics {

// log Z_1 / Z_0 by the geometric bridge q_b = √(q_0 q_1) (4.33), from x of draws of p_0 and of p_1;
// at least one of each.
double geometric_bridge(std::span<const double> of_zero, std::span<const double> of_one);

// By the bridge with the least asymptotic error, q_b = 1 / (s_0 p_0 + s_1 p_1) with s the shares of
// the draws. It contains the ratio r itself; Meng and Wong iterate
//
//   r ← E_0[l / (s_1 l + s_0 r)] / E_1[1 / (s_1 l + s_0 r)],   l = e^x,
//
// whose only fixed point is the root of Bennett's (1976) monotone equation
//
//   Σ_{draws of 0} σ(x − log r + log(s_1/s_0)) = Σ_{draws of 1} σ(−(x − log r + log(s_1/s_0))).
//
// It is found by Newton steps inside a bracket.
double optimal_bridge(std::span<const double> of_zero, std::span<const double> of_one);

// log p(w) from log p(w | z) of draws of p(z | w), as 1 / E[1 / p(w | z)]: the harmonic mean of
// Newton & Raftery (1994), whose variance may be infinite. Here for comparison.
double harmonic_mean(std::span<const double> log_likelihoods);

}  // namespace trellis::topics
