#include "trellis/problem/cost_unit.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"

namespace trellis {
namespace {

CommonUnit common(const std::vector<double>& costs) {
  CommonUnit unit;
  for (const double cost : costs) unit.add(cost);
  return unit;
}
double unit_of(const std::vector<double>& costs) {
  EXPECT_TRUE(common(costs).exists());
  return common(costs).value();
}
bool has_unit(const std::vector<double>& costs) {
  return common(costs).exists();
}

TEST(CommonUnit, OfWholeNumbersIsTheirDivisor) {
  EXPECT_EQ(unit_of({}), 1);
  EXPECT_EQ(unit_of({0, 0}), 1);
  EXPECT_EQ(unit_of({1, 1, 0, 1}), 1);
  EXPECT_EQ(unit_of({4, 6}), 2);
  EXPECT_EQ(unit_of({6, 4, 9}), 1);
  EXPECT_EQ(unit_of({3, 0, 9, 6}), 3);
}

TEST(CommonUnit, SeesThroughRounding) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double unit = 0.01 + random.uniform();
    std::vector<double> costs = {unit * 7, unit * 11};  // no divisor in common
    for (Index k = random.below(5); k > 0; --k) {
      costs.push_back(unit * static_cast<double>(random.below(50)));
    }
    EXPECT_NEAR(unit_of(costs), unit, 1e-7 * unit);
  }
  EXPECT_NEAR(unit_of({0.1, 0.3, 2.5}), 0.1, 1e-12);
}

TEST(CommonUnit, NeedNotExist) {
  EXPECT_TRUE(has_unit({1, 0.25, 3}));
  EXPECT_FALSE(has_unit({1, 0.7071067811865}));
  EXPECT_FALSE(has_unit({1, 0.7071067811865, 1}));  // what comes later does not mend it
  EXPECT_FALSE(has_unit({1e-6, 1}));
  EXPECT_FALSE(has_unit({std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace trellis
