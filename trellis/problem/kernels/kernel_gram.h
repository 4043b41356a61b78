// Blocks of Gram matrices by matrix products. The depth of a product is cut into stretches of
// kGramDepth: Eigen's products add up a stretch of that size in order, and only deeper ones in
// pieces that depend on the sizes of the processor's caches.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel.h"

namespace trellis {

inline constexpr Index kGramBlock = 256;  // rows that one task handles
inline constexpr Index kGramDepth = 256;

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<RowMajorMatrix, 0, Eigen::OuterStride<>>;
using ConstMatrixView = Eigen::Map<const RowMajorMatrix, 0, Eigen::OuterStride<>>;

inline ConstMatrixView matrix_view(const double* data, Index rows, Index columns, Index stride) {
  return {data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(stride))};
}
inline MatrixView matrix_view(double* data, Index rows, Index columns, Index stride) {
  return {data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(stride))};
}

// C += sign · A Bᵀ, with A rows × depth and B columns × depth.
inline void add_product(double sign, const double* a, Index rows, Index a_stride, const double* b,
                        Index columns, Index b_stride, Index depth, double* c, Index c_stride) {
  MatrixView out = matrix_view(c, rows, columns, c_stride);
  for (Index k = 0; k < depth; k += kGramDepth) {
    const Index size = std::min(kGramDepth, depth - k);
    out.noalias() += sign * matrix_view(a + k, rows, size, a_stride) *
                     matrix_view(b + k, columns, size, b_stride).transpose();
  }
}

// Feature vectors as doubles, with their squared norms.
class GramRows {
 public:
  GramRows(std::span<const float> x, Index width)
      : width_(width), x_(x.begin(), x.end()), norms_(x.size() / width) {
    for (Index i = 0; i < norms_.size(); ++i) {
      double norm = 0;
      for (Index d = 0; d < width; ++d) norm += row(i)[d] * row(i)[d];
      norms_[i] = norm;
    }
  }

  Index size() const { return norms_.size(); }
  Index width() const { return width_; }
  const double* row(Index i) const { return x_.data() + i * width_; }
  double norm(Index i) const { return norms_[i]; }  // ‖x_i‖²
  void swap(Index i, Index j) {
    std::swap_ranges(x_.begin() + static_cast<std::ptrdiff_t>(i * width_),
                     x_.begin() + static_cast<std::ptrdiff_t>((i + 1) * width_),
                     x_.begin() + static_cast<std::ptrdiff_t>(j * width_));
    std::swap(norms_[i], norms_[j]);
  }

 private:
  Index width_;
  std::vector<double> x_;
  std::vector<double> norms_;
};

// out ← k(x_a, y_b) for a in [a_begin, a_end), b in [b_begin, b_end); rows of `out` are `stride`
// apart.
inline void gram_block(const Kernel& kernel, const GramRows& x, Index a_begin, Index a_end,
                       const GramRows& y, Index b_begin, Index b_end, double* out, Index stride) {
  const Index rows = a_end - a_begin;
  const Index columns = b_end - b_begin;
  matrix_view(out, rows, columns, stride).setZero();
  add_product(1, x.row(a_begin), rows, x.width(), y.row(b_begin), columns, y.width(), x.width(),
              out, stride);
  if (kernel.kind == KernelKind::kLinear) return;
  for (Index a = 0; a < rows; ++a) {
    double* const row = out + a * stride;
    const double xx = x.norm(a_begin + a);
    for (Index b = 0; b < columns; ++b) {
      row[b] = kernel.of_products(row[b], xx, y.norm(b_begin + b));
    }
  }
}

}  // namespace trellis
