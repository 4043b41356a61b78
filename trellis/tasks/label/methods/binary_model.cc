#include "trellis/tasks/label/methods/binary_model.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/fit/fit.h"

namespace trellis::label {
namespace {

// visit(feature, value) for the features of row i below `width`.
template <class Visit>
void each_feature(const FeatureRows& rows, Index i, Index width, const Visit& visit) {
  if (rows.is_dense()) {
    const auto x = rows.dense_row(i).first(width);
    for (Index k = 0; k < width; ++k) visit(k, static_cast<double>(x[k]));
    return;
  }
  const auto ids = rows.ids(i);
  const auto values = rows.values(i);
  for (Index k = 0; k < ids.size() && ids[k] < width; ++k) {
    visit(ids[k], static_cast<double>(values[k]));
  }
}

}  // namespace

BinaryModel::BinaryModel(const FeatureRows& rows, std::span<const std::uint8_t> has, Index width)
    : rows_(&rows), has_(has), width_(width) {
  if (has.size() != rows.num_rows() || width > rows.width()) {
    throw UsageError("a label needs an answer for each row, and features that the rows have");
  }
}

void BinaryModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  double sum = 0;
  each_feature(*rows_, i, width_, [&](Index k, double x) { sum += x * w[k]; });
  s[0] = sum;
}

void BinaryModel::add_features(Index i, std::span<const double> z, double scale,
                               std::span<double> gradient) const {
  const double factor = scale * z[0];
  if (factor == 0) return;
  each_feature(*rows_, i, width_, [&](Index k, double x) { gradient[k] += factor * x; });
}

void BinaryModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                           SparseVector& slope) const {
  slope.clear();
  const double factor = scale * z[0];
  if (factor == 0) return;
  if (rows_->is_dense()) {
    const std::span<double> run = slope.append(0, width_);
    each_feature(*rows_, i, width_, [&](Index k, double x) { run[k] = factor * x; });
    return;
  }
  each_feature(*rows_, i, width_, [&](Index k, double x) { slope.append(k, 1)[0] = factor * x; });
}

Fitted fit_binary(const BinaryModel& model, const FitCall& call) {
  return fit(model, call);
}

}  // namespace trellis::label
