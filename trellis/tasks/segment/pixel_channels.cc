#include "trellis/tasks/segment/pixel_channels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "trellis/tasks/segment/figure_odds.h"

namespace trellis::segment {
namespace {

// Radii of neighbourhoods as fractions of the longer side.
constexpr std::array<double, 3> kRadii = {1.0 / 80, 1.0 / 32, 1.0 / 12};
constexpr double kContextOffset = 1.0 / 6;

Index radius(const image::Plane& plane, double fraction) {
  const double side = static_cast<double>(std::max(plane.width, plane.height));
  return std::max<Index>(1, static_cast<Index>(std::lround(side * fraction)));
}

template <class Function>
image::Plane pointwise(const image::Plane& a, const image::Plane& b, const Function& function) {
  image::Plane out(a.width, a.height);
  for (Index j = 0; j < out.values.size(); ++j) {
    out.values[j] = static_cast<float>(
        function(static_cast<double>(a.values[j]), static_cast<double>(b.values[j])));
  }
  return out;
}

image::Plane difference(const image::Plane& a, const image::Plane& b) {
  return pointwise(a, b, [](double u, double v) { return u - v; });
}

image::Plane product(const image::Plane& a, const image::Plane& b) {
  return pointwise(a, b, [](double u, double v) { return u * v; });
}

image::Plane deviation(const image::Plane& plane, const image::Plane& mean, Index r) {
  return pointwise(box_mean(product(plane, plane), r), mean, [](double square, double mean_value) {
    return std::sqrt(std::max(0.0, square - mean_value * mean_value));
  });
}

// Central differences; one-sided at the border.
image::Plane gradient(const image::Plane& plane, bool horizontal) {
  image::Plane out(plane.width, plane.height);
  for (Index y = 0; y < plane.height; ++y) {
    for (Index x = 0; x < plane.width; ++x) {
      const Index left = horizontal && x > 0 ? x - 1 : x;
      const Index right = horizontal && x + 1 < plane.width ? x + 1 : x;
      const Index up = !horizontal && y > 0 ? y - 1 : y;
      const Index down = !horizontal && y + 1 < plane.height ? y + 1 : y;
      out.at(x, y) = (plane.at(right, down) - plane.at(left, up)) / 2;
    }
  }
  return out;
}

// The share of darker pixels; ties count half.
image::Plane rank(const image::Plane& plane) {
  std::vector<Index> order(plane.values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return plane.values[a] < plane.values[b] || (plane.values[a] == plane.values[b] && a < b);
  });
  image::Plane out(plane.width, plane.height);
  const double n = static_cast<double>(order.size());
  for (Index begin = 0; begin < order.size();) {
    Index end = begin + 1;
    while (end < order.size() && plane.values[order[end]] == plane.values[order[begin]]) ++end;
    const double share = static_cast<double>(begin + end) / (2 * n);
    for (Index k = begin; k < end; ++k) out.values[order[k]] = static_cast<float>(share);
    begin = end;
  }
  return out;
}

// The plane shifted by `dx`, `dy` pixels; beyond the border, the border pixel.
image::Plane shifted(const image::Plane& plane, long long dx, long long dy) {
  image::Plane out(plane.width, plane.height);
  const auto clamped = [](Index at, long long by, Index size) {
    return static_cast<Index>(
        std::clamp(static_cast<long long>(at) + by, 0LL, static_cast<long long>(size) - 1));
  };
  for (Index y = 0; y < plane.height; ++y) {
    for (Index x = 0; x < plane.width; ++x) {
      out.at(x, y) = plane.at(clamped(x, dx, plane.width), clamped(y, dy, plane.height));
    }
  }
  return out;
}

// For the ring of eight neighbours, each brighter or not: the number of changes around the ring, in
// eighths (few for flat regions and edges, many for noise and grain).
image::Plane binary_pattern(const image::Plane& plane) {
  constexpr std::array<std::array<int, 2>, 8> kRing = {
      {{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}};
  std::vector<image::Plane> ring;
  ring.reserve(8);
  for (const auto& step : kRing) ring.push_back(shifted(plane, step[0], step[1]));
  image::Plane out(plane.width, plane.height);
  for (Index j = 0; j < plane.values.size(); ++j) {
    int changes = 0;
    for (Index k = 0; k < 8; ++k) {
      const bool here = ring[k].values[j] > plane.values[j];
      changes += here != (ring[(k + 1) % 8].values[j] > plane.values[j]) ? 1 : 0;
    }
    out.values[j] = static_cast<float>(changes) / 8;
  }
  return out;
}

class Channels {
 public:
  Channels(const image::Raster& raster, bool colour) : raster_(raster), grey_(brightness(raster)) {
    for (const double fraction : kRadii) radii_.push_back(radius(grey_, fraction));
    add_intensity();
    add_texture();
    add_figure();
    add_position();
    if (colour) add_colour();
  }

  ChannelImage take() { return std::move(image_); }

 private:
  void add(const char* name, image::Plane plane) {
    image_.names.emplace_back(name);
    image_.planes.push_back(std::move(plane));
  }

  void add_intensity() {
    for (const Index r : radii_) {
      means_.push_back(box_mean(grey_, r));
      deviations_.push_back(deviation(grey_, means_.back(), r));
    }
    add("intensity", grey_);
    add("mean near", means_[0]);
    add("mean", means_[1]);
    add("mean far", means_[2]);
    add("rank", rank(means_[0]));
    add("contrast", difference(grey_, means_[2]));
    add("contrast near", difference(means_[0], means_[1]));
    add("contrast far", difference(means_[1], means_[2]));
    add("deviation near", deviations_[0]);
    add("deviation", deviations_[1]);
    add("deviation far", deviations_[2]);
  }

  void add_texture() {
    const image::Plane gx = gradient(grey_, true);
    const image::Plane gy = gradient(grey_, false);
    const image::Plane xx = box_mean(product(gx, gx), radii_[1]);
    const image::Plane yy = box_mean(product(gy, gy), radii_[1]);
    const image::Plane xy = box_mean(product(gx, gy), radii_[1]);
    const image::Plane energy = pointwise(xx, yy, [](double a, double b) { return a + b; });
    // The doubled angle of the main orientation, if the orientation is clear.
    const auto relative = [](double part, double whole) { return part / (whole + 1e-5); };
    const image::Plane upright = pointwise(difference(xx, yy), energy, relative);
    const image::Plane slanted =
        pointwise(xy, energy, [&](double part, double whole) { return relative(2 * part, whole); });
    const auto length = [](double a, double b) { return std::sqrt(a * a + b * b); };
    add("gradient", box_mean(pointwise(gx, gy, length), 1));
    add("gradient energy", energy);
    add("upright", upright);
    add("coherence", pointwise(upright, slanted, length));
    add("binary pattern", box_mean(binary_pattern(grey_), radii_[1]));
  }

  void add_figure() {
    const image::Plane odds = figure_odds(means_[0]);
    // Deviations of values in [0, 1] are at most ½ and mostly small: the root spreads them.
    const image::Plane roughness = pointwise(deviations_[1], deviations_[1],
                                             [](double d, double) { return std::sqrt(2 * d); });
    const image::Plane texture_odds = figure_odds(means_[0], roughness);
    const image::Plane smooth = box_mean(odds, radii_[1]);
    const image::Plane wide = box_mean(texture_odds, radii_[2]);
    const auto away = static_cast<long long>(radius(grey_, kContextOffset));
    add("figure", odds);
    add("figure texture", texture_odds);
    add("figure smooth", smooth);
    add("figure texture smooth", box_mean(texture_odds, radii_[1]));
    add("figure far", wide);
    add("figure above", shifted(wide, 0, -away));
    add("figure below", shifted(wide, 0, away));
    add("figure left", shifted(wide, -away, 0));
    add("figure right", shifted(wide, away, 0));
  }

  void add_position() {
    image::Plane x(grey_.width, grey_.height);
    image::Plane y(grey_.width, grey_.height);
    for (Index row = 0; row < grey_.height; ++row) {
      for (Index column = 0; column < grey_.width; ++column) {
        x.at(column, row) = (static_cast<float>(column) + 0.5F) / static_cast<float>(grey_.width);
        y.at(column, row) = (static_cast<float>(row) + 0.5F) / static_cast<float>(grey_.height);
      }
    }
    add("x", std::move(x));
    add("y", std::move(y));
  }

  void add_colour() {
    const image::Plane& red = raster_.planes.front();
    const image::Plane& green = raster_.colour() ? raster_.planes[1] : red;
    const image::Plane& blue = raster_.colour() ? raster_.planes[2] : red;
    const auto opponent = [](double a, double b) { return (1 + a - b) / 2; };
    const image::Plane warm = box_mean(pointwise(red, green, opponent), radii_[0]);
    const image::Plane yellow =
        pointwise(red, green, [](double a, double b) { return (a + b) / 2; });
    const image::Plane cold = box_mean(pointwise(blue, yellow, opponent), radii_[0]);
    const image::Plane odds = figure_odds(warm, cold);
    add("red against green", warm);
    add("blue against yellow", cold);
    add("figure colour", odds);
    add("figure colour smooth", box_mean(odds, radii_[1]));
  }

  const image::Raster& raster_;
  image::Plane grey_;
  std::vector<Index> radii_;
  std::vector<image::Plane> means_;
  std::vector<image::Plane> deviations_;
  ChannelImage image_;
};

}  // namespace

ChannelImage pixel_channels(const image::Raster& raster, bool colour) {
  return Channels(raster, colour).take();
}

std::vector<std::string> channel_names(bool colour) {
  image::Raster dot;
  dot.planes.assign(1, image::Plane(1, 1));
  return pixel_channels(dot, colour).names;
}

}  // namespace trellis::segment
