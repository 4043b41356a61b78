#include "trellis/topics/embedding/neighbours.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/distance_kernels.h"

namespace trellis::topics {
namespace {

// A block of tiles that stays in the second-level cache while the queries of a task go over it.
constexpr Index kBlockValues = 1 << 15;
constexpr Index kQueriesAtOnce = 32;

std::vector<float> tiles_of(std::span<const float> points, Index dimensions) {
  const Index n = points.size() / dimensions;
  const Index num_tiles = (n + kTileWidth - 1) / kTileWidth;
  std::vector<float> tiles(num_tiles * dimensions * kTileWidth, 0.0F);
  for (Index i = 0; i < n; ++i) {
    float* tile = tiles.data() + i / kTileWidth * dimensions * kTileWidth + i % kTileWidth;
    for (Index k = 0; k < dimensions; ++k) tile[k * kTileWidth] = points[i * dimensions + k];
  }
  return tiles;
}

// The nearest of the points offered so far, in a heap with the farthest of them on top. Points come
// in ascending order, so one that ties with the top is later and does not enter.
class Nearest {
 public:
  explicit Nearest(Index most) : most_(most) { heap_.reserve(most); }

  float limit() const { return limit_; }
  void offer(float distance, std::uint32_t id) {
    if (heap_.size() == most_) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.emplace_back(distance, id);
    std::push_heap(heap_.begin(), heap_.end());
    if (heap_.size() == most_) limit_ = heap_.front().first;
  }
  void write(std::uint32_t* ids, float* distances) {
    std::sort_heap(heap_.begin(), heap_.end());
    for (Index j = 0; j < heap_.size(); ++j) {
      distances[j] = heap_[j].first;
      ids[j] = heap_[j].second;
    }
  }

 private:
  Index most_;
  float limit_ = std::numeric_limits<float>::infinity();
  std::vector<std::pair<float, std::uint32_t>> heap_;
};

}  // namespace

Neighbours nearest_neighbours(std::span<const float> points, Index dimensions, Index per_point,
                              int threads) {
  const Index n = dimensions == 0 ? 0 : points.size() / dimensions;
  assert(per_point < std::max<Index>(n, 1));
  Neighbours out;
  out.per_point = per_point;
  out.ids.resize(n * per_point);
  out.squared_distances.resize(n * per_point);
  if (per_point == 0) return out;

  const std::vector<float> tiles = tiles_of(points, dimensions);
  const Index num_tiles = (n + kTileWidth - 1) / kTileWidth;
  const Index block = std::max<Index>(1, kBlockValues / (dimensions * kTileWidth));
  const Index width = block * kTileWidth;
  const int workers = resolve_threads(threads);
  std::vector<std::vector<float>> scratch(static_cast<Index>(workers),
                                          std::vector<float>(kTileQueries * width));
  const auto search = [&](Index task, int worker) {
    const Index first = task * kQueriesAtOnce, last = std::min(first + kQueriesAtOnce, n);
    float* distances = scratch[static_cast<Index>(worker)].data();
    std::vector<Nearest> nearest(last - first, Nearest(per_point));
    for (Index begin = 0; begin < num_tiles; begin += block) {
      const Index count = std::min(block, num_tiles - begin);
      const Index from = begin * kTileWidth, size = std::min(count * kTileWidth, n - from);
      for (Index q = first; q < last; q += kTileQueries) {
        std::array<const float*, kTileQueries> queries{};
        for (Index r = 0; r < kTileQueries; ++r) {
          queries[r] = points.data() + std::min(q + r, last - 1) * dimensions;
        }
        squared_distances(queries, dimensions, tiles.data() + from * dimensions, count, distances);
        for (Index r = 0; r < std::min(kTileQueries, last - q); ++r) {
          const float* row = distances + r * count * kTileWidth;
          Nearest& best = nearest[q + r - first];
          for (Index j = 0; j < size; ++j) {
            if (row[j] < best.limit() && from + j != q + r) {
              best.offer(row[j], static_cast<std::uint32_t>(from + j));
            }
          }
        }
      }
    }
    for (Index i = first; i < last; ++i) {
      nearest[i - first].write(out.ids.data() + i * per_point,
                               out.squared_distances.data() + i * per_point);
    }
  };
  parallel_for((n + kQueriesAtOnce - 1) / kQueriesAtOnce, workers, search);
  return out;
}

}  // namespace trellis::topics
