#include "trellis/solve/vectors/dense_products.h"

#include <algorithm>
#include <span>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/dense_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kTileRows = 4;

// Σ_k a(i, k) b(k, j) for kRows rows and eight columns, which stay in registers while k runs.
template <size_t kRows>
HWY_INLINE void ProductTile(const double* HWY_RESTRICT a, size_t a_stride,
                            const double* HWY_RESTRICT b, size_t b_stride, size_t depth,
                            double* HWY_RESTRICT sums) {
  const Wide d;
  constexpr size_t kParts = Octet::kParts, kLanes = Octet::kLanes;
  hn::Vec<Wide> total[kRows][kParts];
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t p = 0; p < kParts; ++p) total[i][p] = hn::Zero(d);
  }
  for (size_t k = 0; k < depth; ++k) {
    hn::Vec<Wide> column[kParts];
    for (size_t p = 0; p < kParts; ++p) column[p] = hn::LoadU(d, b + k * b_stride + p * kLanes);
    for (size_t i = 0; i < kRows; ++i) {
      const auto factor = hn::Set(d, a[i * a_stride + k]);
      for (size_t p = 0; p < kParts; ++p) {
        total[i][p] = hn::Add(total[i][p], hn::Mul(factor, column[p]));
      }
    }
  }
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t p = 0; p < kParts; ++p) hn::StoreU(total[i][p], d, sums + i * kOctet + p * kLanes);
  }
}

// Adds a block of a product to `width` ≤ 8 columns of C; b has eight columns.
void AddStretch(const ProductSize& size, double sign, ConstMatrix a, ConstMatrix b,
                MutableMatrix c) {
  HWY_ALIGN double sums[kTileRows * kOctet];
  for (size_t row = 0; row < size.rows;) {
    const double* const from = a.data + row * a.stride;
    const size_t height = size.rows - row >= kTileRows ? kTileRows : 1;
    if (height == kTileRows) {
      ProductTile<kTileRows>(from, a.stride, b.data, b.stride, size.depth, sums);
    } else {
      ProductTile<1>(from, a.stride, b.data, b.stride, size.depth, sums);
    }
    for (size_t i = 0; i < height; ++i, ++row) {
      double* const out = c.data + row * c.stride;
      for (size_t j = 0; j < size.columns; ++j) out[j] += sign * sums[i * kOctet + j];
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trellis {

HWY_EXPORT(AddStretch);

namespace {

constexpr Index kColumnsAtOnce = 8;
constexpr Index kTrianglePanel = 64;

// Calls visit(first column, columns ≤ 8, first k, depth) for the blocks of a product.
template <class Visit>
void each_stretch(const ProductSize& size, const Visit& visit) {
  for (Index k = 0; k < size.depth; k += kProductDepth) {
    for (Index j = 0; j < size.columns; j += kColumnsAtOnce) {
      visit(j, std::min(kColumnsAtOnce, size.columns - j), k,
            std::min(kProductDepth, size.depth - k));
    }
  }
}

}  // namespace

// Eight adjacent columns of B are read in place; others are copied first.
void add_product(const ProductSize& size, double sign, ConstMatrix a, ConstMatrix b,
                 MutableMatrix c) {
  double copied[kProductDepth * kColumnsAtOnce] = {};
  each_stretch(size, [&](Index j, Index width, Index k, Index depth) {
    ConstMatrix eight{b.data + k * b.stride + j, b.stride};
    if (width < kColumnsAtOnce) {
      for (Index row = 0; row < depth; ++row) {
        std::copy_n(eight.data + row * b.stride, width, copied + row * kColumnsAtOnce);
      }
      eight = {copied, kColumnsAtOnce};
    }
    HWY_DYNAMIC_DISPATCH(AddStretch)
    ({size.rows, depth, width}, sign, {a.data + k, a.stride}, eight, {c.data + j, c.stride});
  });
}

void add_product_transposed(const ProductSize& size, double sign, ConstMatrix a, ConstMatrix b,
                            MutableMatrix c) {
  double turned[kProductDepth * kColumnsAtOnce] = {};
  each_stretch(size, [&](Index j, Index width, Index k, Index depth) {
    for (Index column = 0; column < width; ++column) {
      const double* const from = b.data + (j + column) * b.stride + k;
      for (Index row = 0; row < depth; ++row) turned[row * kColumnsAtOnce + column] = from[row];
    }
    HWY_DYNAMIC_DISPATCH(AddStretch)
    ({size.rows, depth, width}, sign, {a.data + k, a.stride}, {turned, kColumnsAtOnce},
     {c.data + j, c.stride});
  });
}

// x_j = (x_j − Σ_{k<j} x_k L_jk) / L_jj, by panels: everything before a panel is one product.
void solve_rows(ConstMatrix l, Index rank, MutableMatrix x, Index rows) {
  for (Index begin = 0; begin < rank; begin += kTrianglePanel) {
    const Index end = std::min(begin + kTrianglePanel, rank);
    add_product_transposed({rows, begin, end - begin}, -1, {x.data, x.stride},
                           {l.data + begin * l.stride, l.stride}, {x.data + begin, x.stride});
    for (Index i = 0; i < rows; ++i) {
      double* const row = x.data + i * x.stride;
      for (Index j = begin; j < end; ++j) {
        const double* const pivot = l.data + j * l.stride;
        const double known = dot({row + begin, j - begin}, {pivot + begin, j - begin});
        row[j] = (row[j] - known) / pivot[j];
      }
    }
  }
}

// From the last row up; a known row is subtracted from those above it.
void solve_columns(ConstMatrix l, Index rank, MutableMatrix x, Index columns) {
  for (Index j = rank; j-- > 0;) {
    const std::span<double> row(x.data + j * x.stride, columns);
    for (double& value : row) value /= l.data[j * l.stride + j];
    for (Index i = 0; i < j; ++i) {
      axpy(-l.data[j * l.stride + i], std::span<const double>(row),
           std::span(x.data + i * x.stride, columns));
    }
  }
}

}  // namespace trellis
#endif  // HWY_ONCE
