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

// Sums of as many lanes as fit: sixteen accumulators of a tile's width would not stay in registers
// where those have four lanes.
void SquaredDistances(const std::array<const float*, kTileQueries>& queries, Index dimensions,
                      const float* tiles, Index num_tiles, float* out) {
  using Lanes = hn::CappedTag<float, kTileWidth>;
  const Lanes d;
  constexpr size_t kLanes = hn::MaxLanes(Lanes());
  const size_t stride = num_tiles * kTileWidth;
  for (size_t t = 0; t < num_tiles; ++t) {
    const float* tile = tiles + t * dimensions * kTileWidth;
    for (size_t l = 0; l < kTileWidth; l += kLanes) {
      auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
      for (size_t k = 0; k < dimensions; ++k) {
        const auto y = hn::LoadU(d, tile + k * kTileWidth + l);
        const auto d0 = hn::Sub(hn::Set(d, queries[0][k]), y);
        const auto d1 = hn::Sub(hn::Set(d, queries[1][k]), y);
        const auto d2 = hn::Sub(hn::Set(d, queries[2][k]), y);
        const auto d3 = hn::Sub(hn::Set(d, queries[3][k]), y);
        sum0 = hn::Add(sum0, hn::Mul(d0, d0));
        sum1 = hn::Add(sum1, hn::Mul(d1, d1));
        sum2 = hn::Add(sum2, hn::Mul(d2, d2));
        sum3 = hn::Add(sum3, hn::Mul(d3, d3));
      }
      float* at = out + t * kTileWidth + l;
      hn::StoreU(sum0, d, at);
      hn::StoreU(sum1, d, at + stride);
      hn::StoreU(sum2, d, at + 2 * stride);
      hn::StoreU(sum3, d, at + 3 * stride);
    }
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
