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
constexpr Index kPointsBetweenCalls = 1024;

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

class Search {
 public:
  Search(std::span<const float> points, Index dimensions)
      : points_(points),
        dimensions_(dimensions),
        size_(points.size() / dimensions),
        num_tiles_((size_ + kTileWidth - 1) / kTileWidth),
        block_(std::max<Index>(1, kBlockValues / (dimensions * kTileWidth))),
        tiles_(tiles_of(points, dimensions)) {}

  Index num_scratch_values() const { return kTileQueries * block_ * kTileWidth; }

  // The neighbours of points [first, last): block by block of the others.
  void run(Index first, Index last, float* scratch, Neighbours& out) const {
    std::vector<Nearest> nearest(last - first, Nearest(out.per_point));
    for (Index tile = 0; tile < num_tiles_; tile += block_) {
      for (Index q = first; q < last; q += kTileQueries) {
        const Index count = std::min(kTileQueries, last - q);
        offer_block(tile, q, scratch, std::span(nearest).subspan(q - first, count));
      }
    }
    for (Index i = first; i < last; ++i) {
      const Index at = i * out.per_point;
      nearest[i - first].write(out.ids.data() + at, out.squared_distances.data() + at);
    }
  }

 private:
  // To the few points from `query` on; where they are fewer than a tile takes, the last one stands
  // in for the others.
  void offer_block(Index tile, Index query, float* scratch, std::span<Nearest> nearest) const {
    std::array<const float*, kTileQueries> rows{};
    for (Index r = 0; r < kTileQueries; ++r) {
      rows[r] = points_.data() + (query + std::min(r, nearest.size() - 1)) * dimensions_;
    }
    const Index count = std::min(block_, num_tiles_ - tile), first = tile * kTileWidth;
    squared_distances(rows, dimensions_, tiles_.data() + first * dimensions_, count, scratch);
    const Index size = std::min(count * kTileWidth, size_ - first);
    for (Index r = 0; r < nearest.size(); ++r) {
      const float* distances = scratch + r * count * kTileWidth;
      for (Index j = 0; j < size; ++j) {
        if (distances[j] < nearest[r].limit() && first + j != query + r) {
          nearest[r].offer(distances[j], static_cast<std::uint32_t>(first + j));
        }
      }
    }
  }

  std::span<const float> points_;
  Index dimensions_;
  Index size_;
  Index num_tiles_;
  Index block_;  // tiles
  std::vector<float> tiles_;
};

}  // namespace

Neighbours nearest_neighbours(std::span<const float> points, Index dimensions, Index per_point,
                              int threads, const std::function<bool(Index)>& on_points) {
  const Index n = dimensions == 0 ? 0 : points.size() / dimensions;
  assert(per_point < std::max<Index>(n, 1));
  Neighbours out;
  out.per_point = per_point;
  out.ids.resize(n * per_point);
  out.squared_distances.resize(n * per_point);
  if (per_point == 0) return out;

  const Search search(points, dimensions);
  const int workers = resolve_threads(threads);
  std::vector<std::vector<float>> scratch(static_cast<Index>(workers),
                                          std::vector<float>(search.num_scratch_values()));
  for (Index done = 0; done < n; done += kPointsBetweenCalls) {
    const Index end = std::min(n, done + kPointsBetweenCalls);
    parallel_for((end - done + kQueriesAtOnce - 1) / kQueriesAtOnce, workers,
                 [&](Index task, int worker) {
                   const Index first = done + task * kQueriesAtOnce;
                   search.run(first, std::min(first + kQueriesAtOnce, end),
                              scratch[static_cast<Index>(worker)].data(), out);
                 });
    if (on_points && !on_points(end)) break;
  }
  return out;
}

}  // namespace trellis::topics
