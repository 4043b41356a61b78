#include "trellis/solve/polytopes/factor_size.h"

#include <gtest/gtest.h>

#include <vector>

namespace trellis {
namespace {

using Places = std::vector<std::pair<Index, Index>>;

constexpr Index kMany = 1'000'000;

TEST(FactorSize, IsThatOfTheMatrixWhereNothingIsFilledIn) {
  constexpr Index kSize = 50;
  Places band, hub, none;
  for (Index j = 1; j < kSize; ++j) {
    band.emplace_back(j, j - 1);
    hub.emplace_back(0, j);  // above the diagonal; eliminated last, or it would fill everything
  }
  for (const Places& places : {band, hub}) {
    const FactorSize size = factor_size(kSize, places, kMany);
    EXPECT_EQ(size.nonzeros, 2 * kSize - 1);
    EXPECT_EQ(size.operations, 4 * (kSize - 1) + 1);
  }
  EXPECT_EQ(factor_size(kSize, none, kMany).nonzeros, kSize);
}

TEST(FactorSize, CountsWhatIsFilledIn) {
  // A circle of four: whatever is eliminated first connects its two neighbours.
  const Places circle = {{1, 0}, {2, 1}, {3, 2}, {3, 0}};
  EXPECT_EQ(factor_size(4, circle, kMany).nonzeros, 4U + 4 + 1);
  Places full;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < i; ++j) full.emplace_back(i, j);
  }
  EXPECT_EQ(factor_size(30, full, kMany).nonzeros, 30U * 31 / 2);
}

TEST(FactorSize, EndsBeyondTheLimit) {
  Places full;
  for (Index i = 0; i < 100; ++i) {
    for (Index j = 0; j < i; ++j) full.emplace_back(i, j);
  }
  const FactorSize size = factor_size(100, full, 1000);
  EXPECT_GT(size.nonzeros, 1000U);
  EXPECT_LT(size.nonzeros, 1200U);
}

}  // namespace
}  // namespace trellis
