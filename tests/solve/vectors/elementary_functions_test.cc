#include "trellis/solve/vectors/elementary_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trellis/base/random.h"
#include "trellis/base/types.h"

namespace trellis {
namespace {

// |a − exact| in units of the last place of the result.
double places_off(double a, long double exact) {
  const double rounded = std::abs(static_cast<double>(exact));
  const double place = std::nextafter(rounded, kInfinity) - rounded;
  return static_cast<double>(std::abs(static_cast<long double>(a) - exact) /
                             static_cast<long double>(place));
}

double wide_number(Random& random, double largest_exponent) {
  return std::exp2(largest_exponent * (2 * random.uniform() - 1)) * (1 + random.uniform());
}

TEST(ElementaryFunctions, Log2IsWithinTwoUlp) {
  Random random(1);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double wide = wide_number(random, 1000), near = 1 + (random.uniform() - 0.5) / 2;
    worst = std::max(worst, places_off(portable_log2(wide), std::log2(1.0L * wide)));
    if (near == 1) continue;
    worst = std::max(worst, places_off(portable_log2(near), std::log2(1.0L * near)));
  }
  EXPECT_LE(worst, 2);
}

TEST(ElementaryFunctions, Log2OfAPowerOfTwoIsItsExponent) {
  for (int k = -1022; k <= 1023; ++k) EXPECT_EQ(portable_log2(std::ldexp(1.0, k)), k);
}

TEST(ElementaryFunctions, CosineIsWithinThreeUlp) {
  Random random(2);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double turns = 100 * random.normal(), near = random.normal();
    worst = std::max(worst, places_off(portable_cos(turns), std::cos(1.0L * turns)));
    worst = std::max(worst, places_off(portable_cos(near), std::cos(1.0L * near)));
  }
  EXPECT_LE(worst, 3);
}

// The C library's cosine of a double is right to an ulp for every size, as that of a long double is
// not everywhere.
TEST(ElementaryFunctions, CosineOfLargeNumbersKnowsPi) {
  Random random(3);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double x = wide_number(random, 1000);
    worst = std::max(worst, places_off(portable_cos(x), std::cos(x)));
  }
  EXPECT_LE(worst, 3);
  EXPECT_LE(places_off(portable_cos(1e22), 0.5232147853951389454975L), 2);
}

TEST(ElementaryFunctions, CosineNearItsZerosKeepsItsAccuracy) {
  double worst = 0;
  for (int k = -300; k <= 300; ++k) {
    const double x = (k + 0.5) * std::numbers::pi;
    worst = std::max(worst, places_off(portable_cos(x), std::cos(1.0L * x)));
  }
  EXPECT_LE(worst, 2);
  // The double that comes closest to a multiple of π/2 (Kahan 1983).
  const double closest = std::ldexp(6381956970095103.0, 797);
  EXPECT_LE(places_off(portable_cos(closest), -4.68716592425462761112e-19L), 2);
}

TEST(ElementaryFunctions, CosineIsEvenAndBounded) {
  EXPECT_EQ(portable_cos(0), 1);
  Random random(4);
  for (Index i = 0; i < 10000; ++i) {
    const double x = wide_number(random, 60);
    EXPECT_EQ(portable_cos(x), portable_cos(-x));
    EXPECT_LE(std::abs(portable_cos(x)), 1);
  }
}

TEST(ElementaryFunctions, AnglesAreWithinThreeUlpAllAround) {
  Random random(5);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double x = random.normal(), y = random.normal() * (i % 2 == 0 ? 1 : 1e-6);
    worst = std::max(worst, places_off(portable_atan2(y, x), std::atan2(1.0L * y, 1.0L * x)));
    worst = std::max(worst, places_off(portable_atan2(x, y), std::atan2(1.0L * x, 1.0L * y)));
  }
  EXPECT_LE(worst, 3);
}

TEST(ElementaryFunctions, AnglesOfAxesAndDiagonalsAreThoseOfTheCLibrary) {
  for (const double y : {-2.0, -0.0, 0.0, 2.0}) {
    for (const double x : {-2.0, -0.0, 0.0, 2.0}) {
      const double angle = portable_atan2(y, x);
      EXPECT_EQ(angle, std::atan2(y, x)) << y << " " << x;
      EXPECT_EQ(std::signbit(angle), std::signbit(std::atan2(y, x))) << y << " " << x;
    }
  }
}

}  // namespace
}  // namespace trellis
