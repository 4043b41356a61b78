#include "trellis/solve/anderson_acceleration.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis {
namespace {

// G(x) = x/2 towards the nearest of two points by coordinate, with rates between 0.5 and 0.999.
std::vector<double> contract(const std::vector<double>& x) {
  std::vector<double> next(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const double rate = 0.5 + 0.499 * static_cast<double>(i) / static_cast<double>(x.size() - 1);
    next[i] = 1 + rate * (x[i] - 1);
  }
  return next;
}

TEST(AndersonAcceleration, SolvesALinearMapInAsManyStepsAsItHasRates) {
  std::vector<double> x(6, 0.0);
  AndersonAcceleration acceleration;
  acceleration.reset(x.size());
  for (Index step = 0; step < 12; ++step) {
    std::vector<double> next = contract(x);
    acceleration.step(x, next);
    x = next;
  }
  for (const double value : x) EXPECT_NEAR(value, 1, 1e-6);
}

TEST(AndersonAcceleration, TakesAStepBackThatMadeItWorse) {
  // Nonexpansive, but not linear: what lies beyond 1 is cut off.
  AndersonAcceleration acceleration;
  acceleration.reset(1);
  const auto map = [](double x) { return x < 0.9 ? x + 0.1 : 0.5 * (x + 1.0); };
  double x = 0, least = 1;
  for (Index step = 0; step < 60; ++step) {
    std::vector<double> next = {map(x)};
    const double residual = std::abs(next[0] - x);
    const bool kept = acceleration.step(std::vector{x}, next);
    if (kept) {
      EXPECT_LE(residual, least + 1e-12);
      least = std::min(least, residual);
    }
    x = next[0];
  }
  EXPECT_NEAR(x, 1, 1e-6);
}

}  // namespace
}  // namespace trellis
