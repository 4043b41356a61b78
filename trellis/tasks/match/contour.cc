#include "trellis/tasks/match/contour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "trellis/base/error.h"
#include "trellis/formats/images/image_file.h"

namespace trellis::match {
namespace {

// Whether most border pixels are bright.
bool bright_rim(const image::Mask& bright) {
  Index count = 0;
  Index total = 0;
  for (Index y = 0; y < bright.height; ++y) {
    const bool whole_row = y == 0 || y + 1 == bright.height;
    for (Index x = 0; x < bright.width;
         x += whole_row || bright.width == 1 ? 1 : bright.width - 1) {
      count += bright.labels[y * bright.width + x];
      ++total;
    }
  }
  return 2 * count > total;
}

class Parts {
 public:
  explicit Parts(const image::Mask& mask) : mask_(mask), part_(mask.labels.size(), kNone) {}

  // The largest part; the first of several.
  image::Mask largest() {
    Index best_size = 0;
    std::uint32_t best = kNone;
    std::uint32_t number = 0;
    for (Index j = 0; j < mask_.labels.size(); ++j) {
      if (mask_.labels[j] == 0 || part_[j] != kNone) continue;
      const Index size = fill(j, number);
      if (size > best_size) {
        best_size = size;
        best = number;
      }
      ++number;
    }
    image::Mask out{mask_.width, mask_.height, std::vector<std::uint8_t>(part_.size(), 0)};
    if (best == kNone) return out;
    for (Index j = 0; j < part_.size(); ++j) out.labels[j] = part_[j] == best ? 1 : 0;
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Index fill(Index from, std::uint32_t number) {
    Index size = 0;
    const auto take = [&](Index j) {
      if (mask_.labels[j] == 0 || part_[j] != kNone) return;
      part_[j] = number;
      stack_.push_back(j);
      ++size;
    };
    take(from);
    while (!stack_.empty()) {
      const Index j = stack_.back();
      stack_.pop_back();
      const Index x = j % mask_.width;
      const Index y = j / mask_.width;
      if (x > 0) take(j - 1);
      if (x + 1 < mask_.width) take(j + 1);
      if (y > 0) take(j - mask_.width);
      if (y + 1 < mask_.height) take(j + mask_.width);
    }
    return size;
  }

  const image::Mask& mask_;
  std::vector<std::uint32_t> part_;
  std::vector<Index> stack_;
};

// Walks along the corners of pixels, with the figure on its right.
class Walk {
 public:
  explicit Walk(const image::Mask& figure) : figure_(figure) {}

  std::vector<Point> from(Index first) {
    const auto x0 = static_cast<std::int64_t>(first % figure_.width);
    const auto y0 = static_cast<std::int64_t>(first / figure_.width);
    std::int64_t x = x0;
    std::int64_t y = y0;
    int heading = 0;  // 0 right, 1 down, 2 left, 3 up
    std::vector<Point> contour;
    do {
      const Step step = kSteps[static_cast<Index>(heading)];
      contour.push_back(
          {static_cast<double>(x) + 0.5 * step.x, static_cast<double>(y) + 0.5 * step.y});
      x += step.x;
      y += step.y;
      heading = next_heading(x, y, heading);
    } while (x != x0 || y != y0 || heading != 0);
    return contour;
  }

 private:
  struct Step {
    int x, y;
  };
  static constexpr std::array<Step, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

  bool inside(std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && x < static_cast<std::int64_t>(figure_.width) &&
           y < static_cast<std::int64_t>(figure_.height) &&
           figure_.labels[static_cast<Index>(y) * figure_.width + static_cast<Index>(x)] != 0;
  }
  // Whether the pixel ahead of corner (x, y), on the left or on the right, is inside.
  bool ahead(std::int64_t x, std::int64_t y, int heading, bool left) const {
    const int dx = heading == 0   ? 0
                   : heading == 2 ? -1
                   : heading == 1 ? (left ? 0 : -1)
                                  : (left ? -1 : 0);
    const int dy = heading == 1   ? 0
                   : heading == 3 ? -1
                   : heading == 0 ? (left ? -1 : 0)
                                  : (left ? 0 : -1);
    return inside(x + dx, y + dy);
  }
  // Turns right if the pixel ahead on the right is outside, left if both pixels ahead are inside,
  // and otherwise goes straight. Pixels that touch only at a corner are not connected.
  int next_heading(std::int64_t x, std::int64_t y, int heading) const {
    if (!ahead(x, y, heading, false)) return (heading + 1) % 4;
    return ahead(x, y, heading, true) ? (heading + 3) % 4 : heading;
  }

  const image::Mask& figure_;
};

double distance(const Point& a, const Point& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

}  // namespace

image::Mask figure_of(const image::Raster& raster) {
  image::Mask mask = to_mask(raster);
  if (bright_rim(mask)) {
    for (std::uint8_t& label : mask.labels) label = label != 0 ? 0 : 1;
  }
  return Parts(mask).largest();
}

std::vector<Point> trace_contour(const image::Mask& figure) {
  const auto first = std::find(figure.labels.begin(), figure.labels.end(), std::uint8_t{1});
  if (first == figure.labels.end()) return {};
  return Walk(figure).from(static_cast<Index>(first - figure.labels.begin()));
}

std::vector<Point> sample_contour(std::span<const Point> contour, Index count) {
  if (contour.empty()) throw UsageError("an outline without corners has no points to sample");
  std::vector<double> reached = {0};  // length up to each corner, and back to the first
  for (Index k = 0; k < contour.size(); ++k) {
    reached.push_back(reached.back() + distance(contour[k], contour[(k + 1) % contour.size()]));
  }
  std::vector<Point> points;
  points.reserve(count);
  Index side = 0;
  for (Index n = 0; n < count; ++n) {
    const double at = reached.back() * static_cast<double>(n) / static_cast<double>(count);
    while (side + 1 < contour.size() && reached[side + 1] <= at) ++side;
    const double length = reached[side + 1] - reached[side];
    const double share = length > 0 ? (at - reached[side]) / length : 0;
    const Point& a = contour[side];
    const Point& b = contour[(side + 1) % contour.size()];
    points.push_back({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
  }
  return points;
}

}  // namespace trellis::match
