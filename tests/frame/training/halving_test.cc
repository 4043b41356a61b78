#include "trellis/frame/training/halving.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace trellis::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Index> half(const std::vector<Index>& racing, const std::vector<double>& standings) {
  return better_half(racing, standings);
}

TEST(BetterHalf, IsRoundedUpAndInOrder) {
  EXPECT_EQ(half({0, 1, 2, 3}, {5, 1, 7, 2}), (std::vector<Index>{0, 2}));
  EXPECT_EQ(half({2, 5, 9}, {1, 3, 2}), (std::vector<Index>{5, 9}));
  EXPECT_EQ(half({4}, {0}), (std::vector<Index>{4}));
}

TEST(BetterHalf, TakesTheFirstOfEqualOnesAndNoNan) {
  EXPECT_EQ(half({0, 1, 2, 3}, {1, 1, 1, 1}), (std::vector<Index>{0, 1}));
  EXPECT_EQ(half({0, 1, 2}, {kNan, kNan, 0}), (std::vector<Index>{0, 2}));
  EXPECT_EQ(half({0, 1, 2, 3}, {kNan, -1, kNan, -2}), (std::vector<Index>{1, 3}));
}

}  // namespace
}  // namespace trellis::testing
