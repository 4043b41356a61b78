#include "trellis/formats/images/raster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/formats/images/small_pictures.h"

namespace trellis::image {
namespace {

double mean(const Plane& plane) {
  return std::accumulate(plane.values.begin(), plane.values.end(), 0.0) /
         static_cast<double>(plane.values.size());
}

TEST(Raster, BoxMeanIsTheMeanOfTheNeighbourhood) {
  Random random(1);
  const Plane plane = segment::testing::random_plane(9, 7, random);
  for (const Index radius : {1, 2, 20}) {
    const Plane means = box_mean(plane, radius);
    for (Index y = 0; y < plane.height; ++y) {
      for (Index x = 0; x < plane.width; ++x) {
        double sum = 0;
        double count = 0;
        for (Index v = y < radius ? 0 : y - radius; v < std::min(plane.height, y + radius + 1);
             ++v) {
          for (Index u = x < radius ? 0 : x - radius; u < std::min(plane.width, x + radius + 1);
               ++u) {
            sum += static_cast<double>(plane.at(u, v));
            ++count;
          }
        }
        EXPECT_NEAR(means.at(x, y), sum / count, 1e-6);
      }
    }
  }
}

TEST(Raster, ShrinkingKeepsTheMean) {
  Random random(2);
  for (const double scale : {0.9, 0.5, 0.31, 0.01}) {
    const Raster raster = segment::testing::random_raster(40, 30, 3, random);
    const Raster small = shrink(raster, scale);
    ASSERT_EQ(small.planes.size(), 3U);
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(mean(small.planes[c]), mean(raster.planes[c]), 1e-5) << scale;
    }
  }
}

TEST(Raster, ScaleOneChangesNothing) {
  Random random(3);
  const Raster raster = segment::testing::random_raster(5, 4, 1, random);
  EXPECT_EQ(shrink(raster, 1).planes[0].values, raster.planes[0].values);
}

TEST(Raster, NothingShrinksToNothing) {
  Random random(4);
  const Raster small = shrink(segment::testing::random_raster(3, 200, 1, random), 0.001);
  EXPECT_EQ(small.width(), 1U);
  EXPECT_EQ(small.height(), 1U);
}

TEST(Mask, ResizingThereAndBackKeepsAlmostAllLabels) {
  Random random(5);
  const Mask mask = segment::testing::disc(60, 48, random).mask;
  const Mask back = resize(shrink(mask, 0.5), 60, 48);
  ASSERT_EQ(back.labels.size(), mask.labels.size());
  Index wrong = 0;
  for (Index j = 0; j < mask.labels.size(); ++j) wrong += mask.labels[j] != back.labels[j] ? 1 : 0;
  EXPECT_LT(wrong, mask.labels.size() / 50);
}

TEST(Mask, OfOneLabelStaysSo) {
  const Mask full{7, 5, std::vector<std::uint8_t>(35, 1)};
  const Mask larger = resize(full, 20, 31);
  EXPECT_EQ(std::count(larger.labels.begin(), larger.labels.end(), 1), 20 * 31);
}

}  // namespace
}  // namespace trellis::image
