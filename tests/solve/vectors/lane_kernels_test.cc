#include "trellis/solve/vectors/lane_kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

constexpr Index kRows = 13;

struct Drawn {
  explicit Drawn(Index length) {
    Random random(length);
    for (Index k = 0; k < kRows * kLaneCount; ++k) table.push_back(random.normal());
    for (Index l = 0; l < kLaneCount; ++l) factors.push_back(random.normal());
    for (Index k = 0; k < length; ++k) {
      ids.push_back(static_cast<std::uint32_t>(random.below(kRows)));
      values.push_back(static_cast<float>(random.normal()));
    }
  }
  LaneRow row(bool dense) const {
    return {dense ? nullptr : ids.data(), values.data(), ids.size()};
  }
  Index id(bool dense, Index k) const { return dense ? k : ids[k]; }

  std::vector<double> table, factors;
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
};

TEST(LaneKernels, EqualTheScalarLoopsOnEveryTarget) {
  for (const bool dense : {true, false}) {
    for (Index length = 0; length < kRows; ++length) {
      const Drawn drawn(length);
      std::vector<double> sums(kLaneCount, 0.0);
      std::vector<double> added = drawn.table;
      std::vector<double> added_squares = drawn.table;
      for (Index k = 0; k < length; ++k) {
        const auto x = static_cast<double>(drawn.values[k]);
        for (Index l = 0; l < kLaneCount; ++l) {
          const Index at = drawn.id(dense, k) * kLaneCount + l;
          sums[l] += x * drawn.table[at];
          added[at] += x * drawn.factors[l];
          added_squares[at] += x * x * drawn.factors[l];
        }
      }
      on_each_target([&] {
        std::vector<double> found(kLaneCount, 7.0);
        lane_sums(drawn.row(dense), drawn.table.data(), found.data());
        EXPECT_EQ(found, sums);
        std::vector<double> table = drawn.table;
        add_to_lanes(drawn.row(dense), drawn.factors.data(), false, table.data());
        EXPECT_EQ(table, added);
        table = drawn.table;
        add_to_lanes(drawn.row(dense), drawn.factors.data(), true, table.data());
        EXPECT_EQ(table, added_squares);
        return 0;
      });
    }
  }
}

}  // namespace
}  // namespace trellis
