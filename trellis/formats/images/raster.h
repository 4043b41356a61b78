// Pictures in memory, as image_file.h reads them: planes of numbers between 0 and 1, and masks of
// figure (1) and ground (0).
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::image {

// One number per pixel, row by row from the top left.
struct Plane {
  Index width = 0;
  Index height = 0;
  std::vector<float> values;

  Plane() = default;
  Plane(Index w, Index h, float value = 0) : width(w), height(h), values(w * h, value) {}
  float at(Index x, Index y) const { return values[y * width + x]; }
  float& at(Index x, Index y) { return values[y * width + x]; }
};

// One plane (grey) or three (red, green, blue), all of one size.
struct Raster {
  std::vector<Plane> planes;

  Index width() const { return planes.front().width; }
  Index height() const { return planes.front().height; }
  Index num_pixels() const { return width() * height(); }
  bool colour() const { return planes.size() == 3; }
};

struct Mask {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> labels;  // 1: figure
};

// 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601); a grey picture is its own brightness.
Plane brightness(const Raster& raster);

// The mean over the part of the square of side 2 radius + 1 around each pixel that is in the
// picture. O(pixels), whatever the radius.
Plane box_mean(const Plane& plane, Index radius);

// Smaller by the factor `scale` in (0, 1], at least 1 × 1: each pixel is the mean of the area that
// it covers.
Raster shrink(const Raster& raster, double scale);
Mask shrink(const Mask& mask, double scale);  // figure where it covers at least half of the area
// The mask in another size: bilinear between the centres of the pixels, figure from one half on.
Mask resize(const Mask& mask, Index width, Index height);

}  // namespace trellis::image
