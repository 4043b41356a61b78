// Blocks of Gram matrices by matrix products (solve/vectors/dense_products.h).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/solve/vectors/dense_products.h"

namespace trellis {

inline constexpr Index kGramBlock = 256;  // rows that one task handles

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
  for (Index a = 0; a < rows; ++a) std::fill_n(out + a * stride, columns, 0.0);
  add_product_transposed({rows, x.width(), columns}, 1, {x.row(a_begin), x.width()},
                         {y.row(b_begin), y.width()}, {out, stride});
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
