#include "trellis/solve/arborescences/wide_number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/base/random.h"

namespace trellis {
namespace {

TEST(WideNumber, ExponentialAndLogarithmAreInverse) {
  for (const double x : {0.0, 1.0, -1.0, 177.0, 178.0, -178.0, 709.0, -745.0, 1e4, -1e6, 1e9}) {
    EXPECT_NEAR(WideNumber::exp(x).log(), x, 2e-16 * (1 + std::abs(x)));
  }
  EXPECT_TRUE(WideNumber::exp(-kInfinity).zero());
  EXPECT_EQ(WideNumber().log(), -kInfinity);
  EXPECT_EQ(WideNumber::one().to_double(), 1.0);
}

TEST(WideNumber, CalculatesAsDoublesDo) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = 200 * random.normal(), y = trial % 2 == 0 ? 200 * random.normal() : x + 1;
    const WideNumber a = WideNumber::exp(x), b = WideNumber::exp(y);
    const double larger = std::max(x, y), smaller = std::min(x, y);
    const double size = 1e-15 * (1 + std::abs(x) + std::abs(y));
    EXPECT_NEAR((a * b).log(), x + y, size);
    EXPECT_NEAR((a / b).log(), x - y, size);
    EXPECT_NEAR((a + b).log(), larger + std::log1p(std::exp(smaller - larger)), size);
  }
}

TEST(WideNumber, ZeroIsZero) {
  const WideNumber zero, one = WideNumber::one(), tiny = WideNumber::exp(-1e12);
  EXPECT_TRUE((zero * tiny).zero());
  EXPECT_TRUE((zero + zero).zero());
  EXPECT_TRUE((zero / tiny).zero());
  EXPECT_EQ((zero + tiny).log(), tiny.log());
  EXPECT_EQ((tiny + one).to_double(), 1.0);
  EXPECT_EQ(tiny.to_double(), 0.0);
  EXPECT_FALSE((tiny * tiny).zero());
}

}  // namespace
}  // namespace trellis
