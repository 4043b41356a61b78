#include "trellis/solve/vectors/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

__extension__ typedef __int128 Int128;

double exact_sum(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.value();
}

TEST(ExactSum, RoundsOnce) {
  EXPECT_EQ(exact_sum({}), 0);
  EXPECT_EQ(exact_sum({1e100, 1, -1e100}), 1);
  EXPECT_EQ(exact_sum({1, 1e-30, -1}), 1e-30);
  const double half = 0x1p-53;                           // of an ulp of 1
  EXPECT_EQ(exact_sum({1, half}), 1);                    // a tie goes to the even neighbour,
  EXPECT_EQ(exact_sum({1, half, 1e-40}), 1 + 2 * half);  // but this is no tie
  EXPECT_EQ(exact_sum({1 + 2 * half, half}), 1 + 4 * half);
  EXPECT_EQ(exact_sum({1 + 2 * half, half, -1e-40}), 1 + 2 * half);
}

// Terms are integers times a power of two of their own, and 128 bits hold the sum.
TEST(ExactSum, EqualsTheSumOfIntegersInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    std::vector<double> terms(1 + random.below(30));
    Int128 whole = 0;
    for (double& x : terms) {
      const auto mantissa =
          static_cast<std::int64_t>(random.below(std::uint64_t{1} << 53)) - (std::int64_t{1} << 52);
      const int exponent = static_cast<int>(random.below(60));
      x = std::ldexp(static_cast<double>(mantissa), exponent);
      whole += static_cast<Int128>(mantissa) << exponent;
    }
    const double expected = static_cast<double>(whole);
    EXPECT_EQ(exact_sum(terms), expected);
    std::reverse(terms.begin(), terms.end());
    EXPECT_EQ(exact_sum(terms), expected);
  }
}

}  // namespace
}  // namespace trellis
