// Arithmetic on logarithms and log-odds, one at a time, with the same bits on every machine
// (vector_kernels.h). −∞ is the logarithm of 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

// log(1 + e^x)
inline double softplus(double x) {
  return std::max(x, 0.0) + portable_log1p(portable_exp(-std::abs(x)));
}

// log(e^x + e^y)
inline double log_add(double x, double y) {
  const double larger = std::max(x, y), smaller = std::min(x, y);
  if (smaller == -kInfinity) return larger;
  return larger + portable_log1p(portable_exp(smaller - larger));
}

// Of what holds with these log-odds: the probability, 1 / (1 + e^−x), and the entropy.
inline double chance_of(double log_odds) {
  const double small = portable_exp(-std::abs(log_odds));
  return (log_odds < 0 ? small : 1) / (1 + small);
}

inline double binary_entropy(double log_odds) {
  const std::array<double, 2> scores = {0, -std::abs(log_odds)};
  return softmax_entropy(scores);
}

}  // namespace trellis
