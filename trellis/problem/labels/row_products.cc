#include "trellis/problem/labels/row_products.h"

#include <cassert>
#include <vector>

namespace trellis {
namespace {

SlicedRows slices_of(const FeatureRows& rows) {
  std::vector<SparseRow> views(rows.num_rows());
  for (Index r = 0; r < views.size(); ++r) views[r] = {rows.ids(r), rows.values(r)};
  return SlicedRows(rows.width(), views);
}

}  // namespace

RowProducts::RowProducts(const FeatureRows& rows) : rows_(&rows) {
  if (!rows.is_dense()) slices_ = slices_of(rows);
}

void RowProducts::multiply(std::span<const double> theta, std::span<double> s) const {
  assert(theta.size() == width() && s.size() == num_rows());
  if (slices_) {
    slices_->multiply(theta, s);
  } else {
    multiply_dense(rows_->dense_values(), theta, s);
  }
}

void RowProducts::add_transposed(std::span<const double> z, double scale,
                                 std::span<double> gradient) const {
  assert(z.size() == num_rows() && gradient.size() == width());
  for (Index v = 0; v < z.size(); ++v) {
    if (z[v] == 0) continue;
    const double factor = scale * z[v];
    rows_->for_each(v, [&](Index k, double x) { gradient[k] += factor * x; });
  }
}

}  // namespace trellis
