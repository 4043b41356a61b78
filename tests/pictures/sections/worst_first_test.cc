#include "trellis/pictures/sections/worst_first.h"

#include <gtest/gtest.h>

#include <vector>

namespace trellis::report::worst_first_test {
namespace {

using Order = std::vector<Index>;

TEST(WorstFirst, SortsByFallingError) {
  EXPECT_EQ(worst_first(std::vector<double>{0.1, 0.5, 0, 0.5}, 4), (Order{1, 3, 0, 2}));
  EXPECT_EQ(worst_first({}, 4), Order{});
}

TEST(WorstFirst, KeepsBothEndsAndAnEvenChoiceBetween) {
  std::vector<double> errors;
  for (int i = 0; i < 101; ++i) errors.push_back(i);
  EXPECT_EQ(worst_first(errors, 5), (Order{100, 75, 50, 25, 0}));
  EXPECT_EQ(worst_first(errors, 2), (Order{100, 0}));
}

}  // namespace
}  // namespace trellis::report::worst_first_test
