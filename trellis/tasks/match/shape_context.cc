#include "trellis/tasks/match/shape_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/elementary_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::match {
namespace {

double squared_distance(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// 0 if all points are equal.
double mean_distance(std::span<const Point> points) {
  double sum = 0;
  for (Index i = 0; i < points.size(); ++i) {
    for (Index j = 0; j < i; ++j) sum += std::sqrt(squared_distance(points[i], points[j]));
  }
  const auto n = static_cast<double>(points.size());
  return points.size() < 2 ? 0 : 2 * sum / (n * (n - 1));
}

class LogPolarGrid {
 public:
  LogPolarGrid(const ContextOptions& options, double unit) : sectors_(options.sectors) {
    const double steps = static_cast<double>(std::max<Index>(options.rings, 2) - 1);
    const double stretch = portable_log(options.outer / options.inner) / steps;
    for (Index ring = 0; ring + 1 < options.rings; ++ring) {
      const double end = unit * options.inner * portable_exp(stretch * static_cast<double>(ring));
      squared_ends_.push_back(end * end);
    }
  }

  Index bin(const Point& from, const Point& to) const {
    const auto ring =
        std::upper_bound(squared_ends_.begin(), squared_ends_.end(), squared_distance(from, to)) -
        squared_ends_.begin();
    const double turn = portable_atan2(to.y - from.y, to.x - from.x) / (2 * std::numbers::pi) + 0.5;
    const auto sector = static_cast<Index>(turn * static_cast<double>(sectors_)) % sectors_;
    return static_cast<Index>(ring) * sectors_ + sector;
  }

 private:
  Index sectors_;
  std::vector<double> squared_ends_;  // of all rings except the last
};

}  // namespace

std::string ContextOptions::bin_name(Index bin) const {
  return fmt::format("ring {} of {}, sector {} of {}", bin / sectors + 1, rings, bin % sectors + 1,
                     sectors);
}

void ContextOptions::validate() const {
  if (rings == 0 || sectors == 0 || rings > kMostBins || sectors > kMostBins ||
      num_bins() > kMostBins) {
    throw UsageError(fmt::format("shape contexts have 1 to {} bins, not {} rings of {} sectors",
                                 kMostBins, rings, sectors));
  }
  if (!(inner > 0) || !(outer > inner) || !std::isfinite(outer)) {
    throw UsageError(fmt::format(
        "the rings of shape contexts require 0 < inner < outer, not inner {} and outer {}", inner,
        outer));
  }
  if (points == 0 || points > kMostPoints || outline < 2 || outline > kMostPoints) {
    throw UsageError(fmt::format(
        "expected 1 to {} points of a silhouette and 2 to {} of its outline, not {} and {}",
        kMostPoints, kMostPoints, points, outline));
  }
}

std::vector<float> shape_contexts(const PointSet& shape, const ContextOptions& options) {
  options.validate();
  const std::span<const Point> others = shape.surroundings();
  const LogPolarGrid grid(options, mean_distance(others));
  std::vector<float> contexts;
  contexts.reserve(shape.points.size() * options.num_bins());
  std::vector<Index> counts(options.num_bins());
  for (Index i = 0; i < shape.points.size(); ++i) {
    std::fill(counts.begin(), counts.end(), Index{0});
    Index total = 0;
    for (Index k = 0; k < others.size(); ++k) {
      // A point of the shape is recognised by its number, a point of the outline by its position.
      const bool itself =
          shape.outline.empty() ? k == i : squared_distance(shape.points[i], others[k]) == 0;
      if (itself) continue;
      ++counts[grid.bin(shape.points[i], others[k])];
      ++total;
    }
    for (const Index count : counts) {
      contexts.push_back(
          total == 0 ? 0.0F
                     : static_cast<float>(static_cast<double>(count) / static_cast<double>(total)));
    }
  }
  return contexts;
}

std::vector<float> context_differences(std::span<const float> left, std::span<const float> right,
                                       const ContextOptions& options) {
  const Index bins = options.num_bins();
  std::vector<float> x;
  x.reserve((left.size() / bins) * right.size());
  for (Index i = 0; i < left.size(); i += bins) {
    for (Index j = 0; j < right.size(); j += bins) {
      for (Index k = 0; k < bins; ++k) {
        const float d = left[i + k] - right[j + k];
        x.push_back(options.difference == Difference::kSquared ? d * d : std::abs(d));
      }
    }
  }
  return x;
}

}  // namespace trellis::match
