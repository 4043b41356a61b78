#include "trellis/solve/vectors/distance_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

TEST(DistanceKernels, EqualTheScalarLoopOnEveryTarget) {
  for (const Index dimensions : {0, 1, 3, 17}) {
    for (const Index num_tiles : {0, 1, 3}) {
      Random random(dimensions, num_tiles);
      const Index n = num_tiles * kTileWidth;
      std::vector<float> queries(kTileQueries * dimensions), tiles(n * dimensions);
      for (float& x : queries) x = static_cast<float>(random.normal());
      for (float& x : tiles) x = static_cast<float>(random.normal());
      std::vector<float> expected(kTileQueries * n, 0.0F);
      for (Index q = 0; q < kTileQueries; ++q) {
        for (Index j = 0; j < n; ++j) {
          for (Index k = 0; k < dimensions; ++k) {
            const Index tile = j / kTileWidth, lane = j % kTileWidth;
            const float difference =
                queries[q * dimensions + k] - tiles[(tile * dimensions + k) * kTileWidth + lane];
            expected[q * n + j] += difference * difference;
          }
        }
      }
      on_each_target([&] {
        std::array<const float*, kTileQueries> rows{};
        for (Index q = 0; q < kTileQueries; ++q) rows[q] = queries.data() + q * dimensions;
        std::vector<float> found(expected.size(), -1.0F);
        squared_distances(rows, dimensions, tiles.data(), num_tiles, found.data());
        EXPECT_EQ(found, expected);
        return 0;
      });
    }
  }
}

}  // namespace
}  // namespace trellis
