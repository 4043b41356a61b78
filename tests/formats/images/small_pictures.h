// Small pictures for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/formats/images/raster.h"

namespace trellis::segment::testing {

// A grey plane of random values.
inline image::Plane random_plane(Index width, Index height, Random& random) {
  image::Plane plane(width, height);
  for (float& value : plane.values) value = static_cast<float>(random.uniform());
  return plane;
}

inline image::Raster random_raster(Index width, Index height, Index num_planes, Random& random) {
  image::Raster raster;
  for (Index c = 0; c < num_planes; ++c) {
    raster.planes.push_back(random_plane(width, height, random));
  }
  return raster;
}

struct Disc {
  image::Raster raster;
  image::Mask mask;
};

// A dark disc on a bright ground, or the other way round, both noisy.
inline Disc disc(Index width, Index height, Random& random) {
  Disc out;
  out.raster.planes.assign(1, image::Plane(width, height));
  out.mask = {width, height, std::vector<std::uint8_t>(width * height)};
  const double side = static_cast<double>(height);
  const double cx = static_cast<double>(width) * (0.4 + 0.2 * random.uniform());
  const double cy = side * (0.4 + 0.2 * random.uniform());
  const double figure = random.uniform() < 0.5 ? 0.25 : 0.75;
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      const double dx = static_cast<double>(x) + 0.5 - cx;
      const double dy = static_cast<double>(y) + 0.5 - cy;
      const bool inside = dx * dx + dy * dy < 0.09 * side * side;
      const double value = (inside ? figure : 0.5) + 0.1 * random.normal();
      out.raster.planes[0].at(x, y) = static_cast<float>(std::min(1.0, std::max(0.0, value)));
      out.mask.labels[y * width + x] = inside ? 1 : 0;
    }
  }
  return out;
}

}  // namespace trellis::segment::testing
