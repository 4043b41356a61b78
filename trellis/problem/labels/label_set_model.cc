#include "trellis/problem/labels/label_set_model.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/problem/labels/true_sets.h"
#include "trellis/solve/measures/measure_product.h"
#include "trellis/solve/vectors/row_kernels.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// visit(k, x_ik) for the features of row i that are not 0.
template <class Visit>
void for_each_feature(const FeatureRows& rows, Index i, const Visit& visit) {
  if (rows.is_dense()) {
    const auto x = rows.dense_row(i);
    for (Index k = 0; k < x.size(); ++k) {
      if (x[k] != 0) visit(k, static_cast<double>(x[k]));
    }
  } else {
    const auto ids = rows.ids(i);
    const auto values = rows.values(i);
    for (Index k = 0; k < ids.size(); ++k) visit(Index{ids[k]}, static_cast<double>(values[k]));
  }
}

}  // namespace

LabelSetModel::LabelSetModel(const FeatureRows& rows, Index num_labels,
                             std::vector<std::span<const std::uint32_t>> labels, SetMeasure measure,
                             ArgmaxAlgorithm algorithm)
    : rows_(&rows),
      num_labels_(num_labels),
      labels_(std::move(labels)),
      measure_(measure),
      algorithm_(algorithm),
      gold_(true_sets(labels_, num_labels)) {
  measure_.validate();
  if (labels_.size() != rows.num_rows()) throw UsageError("expected one set of labels per row");
}

void LabelSetModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  assert(s.size() == num_labels_);
  std::fill(s.begin(), s.end(), 0.0);
  RowBatch batch;
  for_each_feature(*rows_, i, [&](Index k, double value) {
    batch.rows[batch.size] = w.data() + k * num_labels_;
    batch.values[batch.size] = value;
    if (++batch.size < kRowBatch) return;
    add_rows(batch, s.data(), num_labels_);
    batch.size = 0;
  });
  add_rows(batch, s.data(), num_labels_);
}

void HammingLabelModel::add_costs(Index i, double scale, std::span<double> s) const {
  const double cost = scale / static_cast<double>(num_labels());
  for (Index v = 0; v < num_labels(); ++v) s[v] += gold(i)[v] != 0 ? -cost : cost;
}

void LabelSetModel::add_features(Index i, std::span<const double> z, double scale,
                                 std::span<double> gradient) const {
  for_each_feature(*rows_, i, [&](Index k, double value) {
    axpy(scale * value, z, gradient.subspan(k * num_labels_, num_labels_));
  });
}

void LabelSetModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                             SparseVector& slope) const {
  slope.clear();
  if (rows_->is_dense()) {
    add_features(i, z, scale, slope.append(0, dimension()));
    return;
  }
  for_each_feature(*rows_, i, [&](Index k, double value) {
    axpy(scale * value, z, slope.append(k * num_labels_, num_labels_));
  });
}

double LabelSetModel::maximize_augmented(Index i, double gamma, std::span<const double> s,
                                         LabelSet::Scratch& scratch, Workspace&,
                                         LabelSet::Output& y) const {
  y.resize(s.size());
  return measure_argmax(measure_, gamma, s, labels_[i], scratch.measure, y, algorithm_);
}

RescaledMaximum LabelSetModel::maximize_rescaled(Index i, double gamma, std::span<const double> s,
                                                 LabelSet::Scratch& scratch, Workspace&,
                                                 LabelSet::Output& y) const {
  y.resize(s.size());
  const MeasureProduct best =
      measure_product_argmax(measure_, gamma, s, labels_[i], scratch.measure, y);
  return {best.value, best.loss};
}

}  // namespace trellis
