// The nearest neighbours of every point, exactly, by looking at all pairs.
//
// Mixtures of topics have tens to hundreds of coordinates that are not small, where trees look at
// nearly everything as well. O(n² D) additions in vector registers: about a minute on one core
// for n = 50 000, D = 100. Memory: what is returned, and a copy of the points.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

struct Neighbours {
  Index per_point = 0;
  // Rows of `per_point`, nearest first; of equals, the earlier point.
  std::vector<std::uint32_t> ids;
  std::vector<float> squared_distances;

  std::span<const std::uint32_t> ids_of(Index i) const {
    return std::span(ids).subspan(i * per_point, per_point);
  }
  std::span<const float> distances_of(Index i) const {
    return std::span(squared_distances).subspan(i * per_point, per_point);
  }
};

// `points` are rows of `dimensions` finite values; per_point is below their number. A point is not
// its own neighbour. Same bits for any number of threads. `on_points` is called at intervals with
// the number of finished points; if it returns false, the others have no neighbours.
Neighbours nearest_neighbours(std::span<const float> points, Index dimensions, Index per_point,
                              int threads, const std::function<bool(Index)>& on_points = {});

}  // namespace trellis::topics
