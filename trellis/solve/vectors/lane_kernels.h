// A sparse or dense row against eight vectors at once, whose coordinates lie side by side: that of
// feature k of vector l at table[8 k + l]. A feature that is read once serves all eight.
//
//   lane_sums      sums[l] = Σ_k x_k · table[8 id_k + l]
//   add_to_lanes   table[8 id_k + l] += x_k · factors[l],  or x_k² · factors[l]
//
// Every lane adds up its terms in their order, so bits depend neither on the width of registers nor
// on the other lanes.
#pragma once

#include <cstdint>

#include "trellis/base/types.h"

namespace trellis {

inline constexpr Index kLaneCount = 8;

struct LaneRow {
  const std::uint32_t* ids;  // null: 0, 1, 2, …
  const float* values;
  Index length;
};
void lane_sums(const LaneRow& row, const double* table, double* sums);
void add_to_lanes(const LaneRow& row, const double* factors, bool squared, double* table);

}  // namespace trellis
