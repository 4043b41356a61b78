// Sums of rows, the inner loops of scoring with sparse attributes: each attribute that holds at a
// position owns a row of weights, one for each label.
//
//   add_rows      out[j] += Σ_r value_r · row_r[j]: a position's scores
//   add_to_rows   row_r[j] += value_r · z[j] where bit j of mask_r is set: its part of a gradient
//
// Each out[j] adds up the rows in their order, and every operation is an IEEE operation on one
// lane, so the bits of the results do not depend on the vector width.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// Rows that are handled in one call; callers split longer lists.
inline constexpr Index kRowBatch = 64;

struct RowBatch {
  Index size = 0;
  const double* rows[kRowBatch];
  double values[kRowBatch];
};
void add_rows(const RowBatch& batch, double* out, Index width);

struct MutableRowBatch {
  Index size = 0;
  double* rows[kRowBatch];
  double values[kRowBatch];
  const std::uint64_t* masks[kRowBatch];  // ⌈width/64⌉ words each
};
void add_to_rows(const MutableRowBatch& batch, const double* z, Index width);

}  // namespace trellis
