#include "trellis/solve/vectors/gamma_functions.h"

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double digamma(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  const double r = 1 / x, r2 = r * r;
  const double series =
      r2 *
      (1.0 / 12 -
       r2 * (1.0 / 120 -
             r2 * (1.0 / 252 -
                   r2 * (1.0 / 240 - r2 * (1.0 / 132 - r2 * (691.0 / 32760 - r2 * (1.0 / 12)))))));
  return portable_log(x) - 0.5 * r - series - below;
}

double log_gamma(double x) {
  double below = 1;  // x (x + 1) … up to where the series begins: at most 10^10 or so
  for (; x < 10; x += 1) below *= x;
  const double r = 1 / x, r2 = r * r;
  const double series =
      r * (1.0 / 12 -
           r2 * (1.0 / 360 - r2 * (1.0 / 1260 -
                                   r2 * (1.0 / 1680 - r2 * (1.0 / 1188 - r2 * (691.0 / 360360))))));
  constexpr double kHalfLogTwoPi = 0.9189385332046727;
  return (x - 0.5) * portable_log(x) - x + kHalfLogTwoPi + series - portable_log(below);
}

GammaRise gamma_rise(double x, std::uint64_t n) {
  constexpr std::uint64_t kFew = 10;
  constexpr double kLargest = 1e20;  // (1e20)^10 is a number, and so are ten steps from it
  if (n > kFew || x > kLargest) {
    const auto end = x + static_cast<double>(n);
    return {log_gamma(end) - log_gamma(x), digamma(end) - digamma(x)};
  }
  double product = 1, slope = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double step = x + static_cast<double>(i);
    product *= step;
    slope += 1 / step;
  }
  return {portable_log(product), slope};
}

}  // namespace trellis
