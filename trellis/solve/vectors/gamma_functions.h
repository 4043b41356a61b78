// log Γ and its derivative with the same bits on every machine: the recurrence up to where the
// asymptotic series is exact to rounding, and that from there on (Abramowitz & Stegun 1964, 6.1.15,
// 6.1.41, 6.3.5 and 6.3.18).
#pragma once

#include <cstdint>

namespace trellis {

// ψ(x) = d/dx log Γ(x) for x > 0, to a relative error of 1e-13 or so (absolute, near its zero).
double digamma(double x);

// log Γ(x) for x > 0, to an error of 1e-14 or so, relative where |log Γ(x)| > 1 and absolute else.
double log_gamma(double x);

// What n further tokens of a Pólya urn change: log Γ(x + n) − log Γ(x) = Σ_{i<n} log(x + i) and its
// derivative ψ(x + n) − ψ(x) = Σ_{i<n} 1 / (x + i), for x > 0. Neither loses its relative accuracy
// where x is small; the smaller n, the less time.
struct GammaRise {
  double log_ratio;
  double slope;
};
GammaRise gamma_rise(double x, std::uint64_t n);

}  // namespace trellis
