#include "trellis/formats/images/raster.h"

#include <algorithm>
#include <cmath>

namespace trellis::image {
namespace {

Index scaled_size(Index size, double scale) {
  return std::max<Index>(1, static_cast<Index>(std::lround(static_cast<double>(size) * scale)));
}

// What each of `to` equal pieces of [0, from) covers: weights[begin[i] …) of source pixels first[i]
// on, which add up to 1.
struct Coverage {
  std::vector<Index> first;
  std::vector<Index> begin;
  std::vector<double> weights;

  Coverage(Index from, Index to) {
    const double length = static_cast<double>(from) / static_cast<double>(to);
    begin.push_back(0);
    for (Index i = 0; i < to; ++i) {
      const double low = static_cast<double>(i) * length;
      const double high = std::min(low + length, static_cast<double>(from));
      first.push_back(std::min(static_cast<Index>(low), from - 1));
      for (Index p = first.back(); p < from && static_cast<double>(p) < high; ++p) {
        const double overlap =
            std::min(high, static_cast<double>(p + 1)) - std::max(low, static_cast<double>(p));
        weights.push_back(std::max(0.0, overlap) / length);
      }
      begin.push_back(weights.size());
    }
  }
};

Plane shrink_plane(const Plane& plane, Index width, Index height) {
  const Coverage columns(plane.width, width);
  const Coverage rows(plane.height, height);
  Plane out(width, height);
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      double sum = 0;
      for (Index r = rows.begin[y]; r < rows.begin[y + 1]; ++r) {
        const Index source = rows.first[y] + r - rows.begin[y];
        for (Index c = columns.begin[x]; c < columns.begin[x + 1]; ++c) {
          const Index column = columns.first[x] + c - columns.begin[x];
          sum +=
              rows.weights[r] * columns.weights[c] * static_cast<double>(plane.at(column, source));
        }
      }
      out.at(x, y) = static_cast<float>(sum);
    }
  }
  return out;
}

Plane to_plane(const Mask& mask) {
  Plane plane(mask.width, mask.height);
  for (Index j = 0; j < mask.labels.size(); ++j) plane.values[j] = mask.labels[j];
  return plane;
}

Mask to_mask(const Plane& plane) {
  Mask mask{plane.width, plane.height, std::vector<std::uint8_t>(plane.values.size())};
  for (Index j = 0; j < plane.values.size(); ++j) mask.labels[j] = plane.values[j] >= 0.5F ? 1 : 0;
  return mask;
}

// Where the centre of pixel i of `to` lies among the centres of `from` pixels: between low and
// low + 1, by the fraction.
struct Between {
  Index low;
  Index high;
  double fraction;

  Between(Index i, Index from, Index to) {
    const double centre =
        (static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
    const double clamped = std::clamp(centre, 0.0, static_cast<double>(from - 1));
    low = static_cast<Index>(clamped);
    high = std::min(low + 1, from - 1);
    fraction = clamped - static_cast<double>(low);
  }
};

}  // namespace

Plane brightness(const Raster& raster) {
  if (!raster.colour()) return raster.planes.front();
  Plane grey(raster.width(), raster.height());
  for (Index j = 0; j < grey.values.size(); ++j) {
    grey.values[j] = 0.299F * raster.planes[0].values[j] + 0.587F * raster.planes[1].values[j] +
                     0.114F * raster.planes[2].values[j];
  }
  return grey;
}

Plane box_mean(const Plane& plane, Index radius) {
  const Index w = plane.width;
  const Index h = plane.height;
  // sums has a row and a column of zeros in front: sums(x, y) = Σ over the pixels left and above.
  std::vector<double> sums((w + 1) * (h + 1), 0.0);
  for (Index y = 0; y < h; ++y) {
    double row = 0;
    for (Index x = 0; x < w; ++x) {
      row += static_cast<double>(plane.at(x, y));
      sums[(y + 1) * (w + 1) + x + 1] = sums[y * (w + 1) + x + 1] + row;
    }
  }
  Plane out(w, h);
  for (Index y = 0; y < h; ++y) {
    const Index top = y < radius ? 0 : y - radius;
    const Index bottom = std::min(h, y + radius + 1);
    for (Index x = 0; x < w; ++x) {
      const Index left = x < radius ? 0 : x - radius;
      const Index right = std::min(w, x + radius + 1);
      const double sum = sums[bottom * (w + 1) + right] - sums[top * (w + 1) + right] -
                         sums[bottom * (w + 1) + left] + sums[top * (w + 1) + left];
      out.at(x, y) = static_cast<float>(sum / static_cast<double>((bottom - top) * (right - left)));
    }
  }
  return out;
}

Raster shrink(const Raster& raster, double scale) {
  if (scale == 1) return raster;
  Raster out;
  for (const Plane& plane : raster.planes) {
    out.planes.push_back(
        shrink_plane(plane, scaled_size(plane.width, scale), scaled_size(plane.height, scale)));
  }
  return out;
}

Mask shrink(const Mask& mask, double scale) {
  if (scale == 1) return mask;
  return to_mask(shrink_plane(to_plane(mask), scaled_size(mask.width, scale),
                              scaled_size(mask.height, scale)));
}

Mask resize(const Mask& mask, Index width, Index height) {
  if (mask.width == width && mask.height == height) return mask;
  Mask out{width, height, std::vector<std::uint8_t>(width * height)};
  const auto label = [&](Index x, Index y) {
    return static_cast<double>(mask.labels[y * mask.width + x]);
  };
  for (Index y = 0; y < height; ++y) {
    const Between row(y, mask.height, height);
    for (Index x = 0; x < width; ++x) {
      const Between column(x, mask.width, width);
      const double above = (1 - column.fraction) * label(column.low, row.low) +
                           column.fraction * label(column.high, row.low);
      const double below = (1 - column.fraction) * label(column.low, row.high) +
                           column.fraction * label(column.high, row.high);
      out.labels[y * width + x] = (1 - row.fraction) * above + row.fraction * below >= 0.5 ? 1 : 0;
    }
  }
  return out;
}

}  // namespace trellis::image
