#include "trellis/tasks/segment/overlay.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace trellis::segment {
namespace {

using image::Mask;
using image::Plane;
using image::Raster;

TEST(Overlay, TintsTheFigureAndOutlinesIt) {
  Raster raster;
  raster.planes.assign(1, Plane(5, 5, 0.5F));
  Mask mask{5, 5, std::vector<std::uint8_t>(25, 0)};
  for (const Index y : {1, 2, 3}) {
    for (const Index x : {1, 2, 3}) mask.labels[y * 5 + x] = 1;
  }
  const Raster out = overlay(raster, mask);
  ASSERT_TRUE(out.colour());
  EXPECT_LT(out.planes[0].at(0, 0), 0.5F);                    // ground is darker
  EXPECT_GT(out.planes[0].at(2, 2), out.planes[2].at(2, 2));  // figure is orange
  EXPECT_NE(out.planes[1].at(1, 1), out.planes[1].at(2, 2));  // its outline is neither
  EXPECT_NE(out.planes[1].at(1, 1), out.planes[1].at(0, 0));
}

}  // namespace
}  // namespace trellis::segment
