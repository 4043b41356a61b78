// The regulariser that keeps the distributions e^θ close to given ones c, coordinate by coordinate
// (Yu, Bertsekas & Rousu, Eq. 2 and sec. 3.2):
//
//   forward   D(c ‖ e^θ):  f(θ) = −c θ                          (the constant Σ c ln c is left out)
//   reverse   D(e^θ ‖ c):  f(θ) = e^θ (θ − ln c − 1) + c
//
// The paper says that its method solves the convex program of the reverse direction as well. It is
// not convex: f'' = e^θ (θ − ln c + 1) is negative for e^θ < c/e. Here f continues from that point
// along its tangent, of slope −c/e: convex, twice differentiable, and never below the divergence.
#pragma once

#include <algorithm>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

enum class Divergence { kForward, kReverse };

inline constexpr double kInverseE = 0.36787944117144233;  // 1/e

// f at one point, with its derivatives.
struct DivergenceAt {
  double value;
  double slope;
  double curvature;
};

// `exp_theta` is e^θ, and log_c is ln c.
inline DivergenceAt divergence_at(Divergence divergence, double c, double log_c, double theta,
                                  double exp_theta) {
  if (divergence == Divergence::kForward) return {-c * theta, -c, 0};
  const double above = theta - log_c;
  if (above >= -1) {
    return {exp_theta * (above - 1) + c, exp_theta * above, exp_theta * (above + 1)};
  }
  const double slope = -c * kInverseE;
  return {c - 2 * c * kInverseE + slope * (above + 1), slope, 0};
}

// The largest μ for which f(θ) + μ θ is bounded below.
inline double largest_slope(Divergence divergence, double c) {
  return divergence == Divergence::kForward ? c : c * kInverseE;
}

}  // namespace trellis
