// Products with the matrix Ψ of feature rows, one for each instance, for models whose every example
// is scored over all instances.
#pragma once

#include <optional>
#include <span>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/solve/vectors/matrix_products.h"

namespace trellis {

class RowProducts {
 public:
  // The rows must outlive this. Sparse ones are copied once, sorted by length.
  explicit RowProducts(const FeatureRows& rows);

  Index num_rows() const { return rows_->num_rows(); }
  Index width() const { return rows_->width(); }
  void multiply(std::span<const double> theta, std::span<double> s) const;  // s ← Ψ θ
  // gradient += scale · Ψᵀ z, by the rows with z ≠ 0
  void add_transposed(std::span<const double> z, double scale, std::span<double> gradient) const;

 private:
  const FeatureRows* rows_;
  std::optional<SlicedRows> slices_;  // of sparse rows
};

}  // namespace trellis
