// Where a concave, piecewise quadratic function of one variable is highest: the root of its
// derivative h, which is continuous, piecewise linear, and falls.
//
// Newton's method lands on the root exactly as soon as it starts from the root's own piece; a
// bracket, halved where Newton leaves it or does not shrink it, keeps it from going in circles.
#pragma once

#include <algorithm>
#include <cmath>

namespace trellis {

// h(θ), and how fast h falls there: −h'(θ) ≥ 0 (of either piece, where two meet).
struct FallingValue {
  double value;
  double fall;
};

// The θ in [0, limit] with h(θ) = 0: 0 where h(0) ≤ 0, the limit (finite) where h is still > 0
// there. at(θ) returns a FallingValue.
template <class Function>
double falling_root(double limit, const Function& at) {
  constexpr int kMaxSteps = 100;
  constexpr int kNewtonSteps = 3;  // between two halvings of the bracket
  constexpr double kAccuracy = 1e-15;
  FallingValue now = at(0.0);
  const double at_zero = now.value;
  if (!(at_zero > 0) || !(limit > 0)) return 0;
  double low = 0;
  double high = limit;
  bool tried_limit = false;
  double theta = 0;
  for (int k = 0; k < kMaxSteps; ++k) {
    double next = now.fall > 0 ? theta + now.value / now.fall : limit;
    if (!tried_limit && !(next < limit)) {
      next = limit;
      tried_limit = true;
    } else if (!(next > low && next < high) || k % (kNewtonSteps + 1) == kNewtonSteps) {
      next = low + (high - low) / 2;
    }
    theta = next;
    now = at(theta);
    if (now.value > 0) {
      if (theta == limit) return limit;
      low = theta;
    } else {
      high = theta;
    }
    if (std::abs(now.value) <= kAccuracy * at_zero || high - low <= kAccuracy * limit) break;
  }
  return theta;
}

}  // namespace trellis
