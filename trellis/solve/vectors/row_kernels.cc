#include "trellis/solve/vectors/row_kernels.h"

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/row_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

void AddRows(const RowBatch& batch, double* out, size_t width) {
  const RowBatch* rows = &batch;
  sweep(0, width, [=](auto d, size_t j) HWY_ATTR {
    auto sum = hn::LoadU(d, out + j);
    for (size_t r = 0; r < rows->size; ++r) {
      sum = hn::Add(sum, hn::Mul(hn::Set(d, rows->values[r]), hn::LoadU(d, rows->rows[r] + j)));
    }
    hn::StoreU(sum, d, out + j);
  });
}

void AddToRows(const MutableRowBatch& batch, const double* z, size_t width) {
  for (size_t r = 0; r < batch.size; ++r) {
    double* row = batch.rows[r];
    const double value = batch.values[r];
    const std::uint64_t* mask = batch.masks[r];
    sweep(0, width, [=](auto d, size_t j) HWY_ATTR {
      // Vectors begin at multiples of their size, so none crosses a word of the mask.
      const std::uint64_t bits = mask[j / 64] >> (j % 64);
      const auto chosen = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
      const auto product = hn::Mul(hn::Set(d, value), hn::LoadU(d, z + j));
      hn::StoreU(hn::Add(hn::LoadU(d, row + j), hn::IfThenElseZero(chosen, product)), d, row + j);
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(AddRows);
HWY_EXPORT(AddToRows);

void add_rows(const RowBatch& batch, double* out, Index width) {
  HWY_DYNAMIC_DISPATCH(AddRows)(batch, out, width);
}

void add_to_rows(const MutableRowBatch& batch, const double* z, Index width) {
  HWY_DYNAMIC_DISPATCH(AddToRows)(batch, z, width);
}

}  // namespace trellis

#endif  // HWY_ONCE
