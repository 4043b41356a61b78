#include "trellis/solve/vectors/gamma_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trellis {
namespace {

TEST(GammaFunctions, LogGammaEqualsTheLibrarys) {
  for (double x = 1e-8; x < 1e9; x *= 1.07) {
    int sign = 0;
    const double expected = ::lgamma_r(x, &sign);
    EXPECT_NEAR(log_gamma(x), expected, 4e-14 * std::max(1.0, std::abs(expected))) << x;
  }
  EXPECT_NEAR(log_gamma(1), 0, 4e-14);
  EXPECT_NEAR(log_gamma(2), 0, 4e-14);
}

TEST(GammaFunctions, DigammaIsTheSlopeOfLogGamma) {
  for (double x = 0.01; x < 1e6; x *= 1.3) {
    const double h = 1e-4 * x;
    const double slope = (log_gamma(x + h) - log_gamma(x - h)) / (2 * h);
    EXPECT_NEAR(digamma(x), slope, 1e-5 * (1 + std::abs(slope))) << x;
  }
  EXPECT_NEAR(digamma(1), -0.5772156649015329, 1e-12);
}

}  // namespace
}  // namespace trellis
