#include "trellis/solve/vectors/distance_kernels.h"

#include <cstddef>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/distance_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kTileWidth>;
constexpr size_t kLanes = hn::MaxLanes(Lanes());
constexpr size_t kParts = kTileWidth / kLanes;

// All sums of a tile and its queries stay in registers: each load serves several sums.
HWY_INLINE void tile_distances(const float* const* queries, size_t dimensions, const float* tile,
                               size_t stride, float* out) {
  const Lanes d;
  hn::Vec<Lanes> sums[kTileQueries][kParts];
  for (size_t q = 0; q < kTileQueries; ++q) {
    for (size_t part = 0; part < kParts; ++part) sums[q][part] = hn::Zero(d);
  }
  for (size_t k = 0; k < dimensions; ++k) {
    hn::Vec<Lanes> y[kParts];
    for (size_t part = 0; part < kParts; ++part) {
      y[part] = hn::LoadU(d, tile + k * kTileWidth + part * kLanes);
    }
    for (size_t q = 0; q < kTileQueries; ++q) {
      const auto x = hn::Set(d, queries[q][k]);
      for (size_t part = 0; part < kParts; ++part) {
        const auto difference = hn::Sub(x, y[part]);
        sums[q][part] = hn::Add(sums[q][part], hn::Mul(difference, difference));
      }
    }
  }
  for (size_t q = 0; q < kTileQueries; ++q) {
    for (size_t part = 0; part < kParts; ++part) {
      hn::StoreU(sums[q][part], d, out + q * stride + part * kLanes);
    }
  }
}

void SquaredDistances(const std::array<const float*, kTileQueries>& queries, Index dimensions,
                      const float* tiles, Index num_tiles, float* out) {
  const float* const rows[kTileQueries] = {queries[0], queries[1], queries[2], queries[3]};
  for (size_t t = 0; t < num_tiles; ++t) {
    tile_distances(rows, dimensions, tiles + t * dimensions * kTileWidth, num_tiles * kTileWidth,
                   out + t * kTileWidth);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(SquaredDistances);

void squared_distances(const std::array<const float*, kTileQueries>& queries, Index dimensions,
                       const float* tiles, Index num_tiles, float* out) {
  HWY_DYNAMIC_DISPATCH(SquaredDistances)(queries, dimensions, tiles, num_tiles, out);
}

}  // namespace trellis

#endif  // HWY_ONCE
