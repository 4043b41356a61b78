#include "trellis/topics/embedding/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::neighbours_test {
namespace {

std::vector<float> some_points(Index n, Index dimensions, bool coarse) {
  Random random(n, dimensions);
  std::vector<float> points(n * dimensions);
  for (float& x : points) {
    x = coarse ? static_cast<float>(random.below(3)) : static_cast<float>(random.uniform());
  }
  return points;
}

TEST(NearestNeighbours, AreThoseOfSortingAllPairs) {
  // Coarse points have many ties, which the earlier point wins.
  for (const bool coarse : {false, true}) {
    for (const auto& [n, dimensions, count] :
         {std::array<Index, 3>{2, 1, 1}, {17, 3, 5}, {64, 7, 63}, {333, 20, 30}}) {
      const std::vector<float> points = some_points(n, dimensions, coarse);
      const Neighbours found = nearest_neighbours(points, dimensions, count, 1);
      for (Index i = 0; i < n; ++i) {
        std::vector<std::pair<float, std::uint32_t>> all;
        for (Index j = 0; j < n; ++j) {
          float distance = 0;
          for (Index k = 0; k < dimensions; ++k) {
            const float difference = points[i * dimensions + k] - points[j * dimensions + k];
            distance += difference * difference;
          }
          if (j != i) all.emplace_back(distance, static_cast<std::uint32_t>(j));
        }
        std::sort(all.begin(), all.end());
        for (Index r = 0; r < count; ++r) {
          EXPECT_EQ(found.ids_of(i)[r], all[r].second);
          EXPECT_EQ(found.distances_of(i)[r], all[r].first);
        }
      }
    }
  }
}

TEST(NearestNeighbours, SameBitsForAnyNumberOfThreads) {
  const std::vector<float> points = some_points(500, 9, false);
  const Neighbours one = nearest_neighbours(points, 9, 20, 1);
  const Neighbours three = nearest_neighbours(points, 9, 20, 3);
  EXPECT_EQ(one.ids, three.ids);
  EXPECT_EQ(one.squared_distances, three.squared_distances);
}

TEST(NearestNeighbours, NoneAreAskedFor) {
  EXPECT_TRUE(nearest_neighbours(some_points(1, 3, false), 3, 0, 1).ids.empty());
  EXPECT_TRUE(nearest_neighbours({}, 3, 0, 1).ids.empty());
}

}  // namespace
}  // namespace trellis::topics::neighbours_test
