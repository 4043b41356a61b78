#include "trellis/problem/reverse_label_model.h"

#include <cassert>
#include <utility>

#include "trellis/problem/true_sets.h"

namespace trellis {
namespace {

// Four sums: a chain of additions waits for each of them.
double dense_dot(std::span<const float> x, const double* theta) {
  double sums[4] = {0, 0, 0, 0};
  const Index whole = x.size() / 4 * 4;
  for (Index k = 0; k < whole; k += 4) {
    for (Index lane = 0; lane < 4; ++lane) {
      sums[lane] += static_cast<double>(x[k + lane]) * theta[k + lane];
    }
  }
  for (Index k = whole; k < x.size(); ++k) {
    sums[k - whole] += static_cast<double>(x[k]) * theta[k];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double sparse_dot(std::span<const std::uint32_t> ids, std::span<const float> values,
                  const double* theta) {
  double even = 0, odd = 0;
  Index k = 0;
  for (; k + 2 <= ids.size(); k += 2) {
    even += static_cast<double>(values[k]) * theta[ids[k]];
    odd += static_cast<double>(values[k + 1]) * theta[ids[k + 1]];
  }
  if (k < ids.size()) even += static_cast<double>(values[k]) * theta[ids[k]];
  return even + odd;
}

// block += scale · Ψᵀ z
void add_rows_of(const FeatureRows& rows, std::span<const double> z, double scale, double* block) {
  for (Index v = 0; v < rows.num_rows(); ++v) {
    if (z[v] == 0) continue;
    const double factor = scale * z[v];
    if (rows.is_dense()) {
      const auto x = rows.dense_row(v);
      for (Index k = 0; k < x.size(); ++k) block[k] += factor * static_cast<double>(x[k]);
    } else {
      const auto ids = rows.ids(v);
      const auto values = rows.values(v);
      for (Index k = 0; k < ids.size(); ++k) {
        block[ids[k]] += factor * static_cast<double>(values[k]);
      }
    }
  }
}

}  // namespace

ReverseLabelModel::ReverseLabelModel(const FeatureRows& rows,
                                     std::vector<std::span<const std::uint32_t>> instances,
                                     SetMeasure measure, ArgmaxAlgorithm algorithm)
    : rows_(&rows),
      instances_(std::move(instances)),
      measure_(measure),
      algorithm_(algorithm),
      gold_(true_sets(instances_, rows.num_rows())) {
  measure_.validate();
}

void ReverseLabelModel::scores(Index n, std::span<const double> w, std::span<double> s) const {
  assert(s.size() == rows_->num_rows());
  const double* theta = w.data() + n * rows_->width();
  if (rows_->is_dense()) {
    for (Index v = 0; v < s.size(); ++v) s[v] = dense_dot(rows_->dense_row(v), theta);
  } else {
    for (Index v = 0; v < s.size(); ++v) s[v] = sparse_dot(rows_->ids(v), rows_->values(v), theta);
  }
}

void ReverseLabelModel::add_features(Index n, std::span<const double> z, double scale,
                                     std::span<double> gradient) const {
  add_rows_of(*rows_, z, scale, gradient.data() + n * rows_->width());
}

void ReverseLabelModel::features(Index n, std::span<const double> z, double scale, Workspace&,
                                 SparseVector& slope) const {
  slope.clear();
  add_rows_of(*rows_, z, scale, slope.append(n * rows_->width(), rows_->width()).data());
}

double ReverseLabelModel::maximize_augmented(Index n, double gamma, std::span<const double> s,
                                             LabelSet::Scratch& scratch, Workspace&,
                                             LabelSet::Output& y) const {
  y.resize(s.size());
  return measure_argmax(measure_, gamma, s, instances_[n], scratch.measure, y, algorithm_);
}

}  // namespace trellis
