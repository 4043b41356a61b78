#include "trellis/tasks/segment/overlay.h"

#include <array>

namespace trellis::segment {
namespace {

using Colour = std::array<float, 3>;
// Blue and orange, which people with red-green blindness can distinguish.
constexpr Colour kTint = {1.0F, 0.55F, 0.1F};
constexpr Colour kOutline = {1.0F, 0.85F, 0.2F};
constexpr Colour kTruth = {0.15F, 0.6F, 1.0F};
constexpr float kTintShare = 0.4F;
constexpr float kGroundLight = 0.75F;

// Whether a figure pixel has a ground neighbour.
bool on_outline(const image::Mask& mask, Index x, Index y) {
  const auto figure = [&](Index column, Index row) {
    return mask.labels[row * mask.width + column] != 0;
  };
  if (!figure(x, y)) return false;
  return (x > 0 && !figure(x - 1, y)) || (x + 1 < mask.width && !figure(x + 1, y)) ||
         (y > 0 && !figure(x, y - 1)) || (y + 1 < mask.height && !figure(x, y + 1));
}

}  // namespace

image::Raster overlay(const image::Raster& raster, const image::Mask& mask,
                      const image::Mask& truth) {
  image::Raster out;
  out.planes.assign(3, image::Plane(raster.width(), raster.height()));
  for (Index y = 0; y < raster.height(); ++y) {
    for (Index x = 0; x < raster.width(); ++x) {
      const bool figure = mask.labels[y * mask.width + x] != 0;
      const bool found_edge = on_outline(mask, x, y);
      const bool true_edge = !truth.labels.empty() && on_outline(truth, x, y);
      for (Index c = 0; c < 3; ++c) {
        const float value = raster.planes[raster.colour() ? c : 0].at(x, y);
        out.planes[c].at(x, y) = true_edge    ? kTruth[c]
                                 : found_edge ? kOutline[c]
                                 : figure     ? (1 - kTintShare) * value + kTintShare * kTint[c]
                                              : kGroundLight * value;
      }
    }
  }
  return out;
}

}  // namespace trellis::segment
