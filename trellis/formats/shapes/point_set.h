// A shape as a set of points in the plane, as point_file.h reads it: the points to be matched, and
// the outline from which shape contexts are computed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::match {

struct Point {
  double x = 0;
  double y = 0;
};

struct PointSet {
  std::string name;
  std::vector<Point> points;
  // Equal ids are the same point: the truth of a pair. As many as there are points, none twice.
  std::vector<std::int64_t> ids;
  // What the contexts of the points are made of: the outline of a silhouette. Empty: the points.
  std::vector<Point> outline;
  // Whether ids identify points: sampled points have only numbers, and no truth.
  bool identified = true;

  std::span<const Point> surroundings() const { return outline.empty() ? points : outline; }
};

}  // namespace trellis::match
