#include "trellis/problem/labels/label_problem.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/problem/loss.h"
#include "trellis/solve/vectors/row_kernels.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kLine = 8;  // doubles in a cache line
constexpr Index kAttributesAhead = 12;
constexpr Index kLongRow = 64;  // doubles; what follows is loaded by the machine itself

// Most rows are not in the first cache, and those that will be needed are known. Inlined by force:
// see AttributeRows::prefetch.
[[gnu::always_inline]] inline void prefetch_row(const double* row, Index size) {
  for (Index j = 0; j < std::min(size, kLongRow); j += kLine) __builtin_prefetch(row + j);
}

}  // namespace

LabelProblem::LabelProblem(const MulticlassModel& model, double gamma, ChosenExamples chosen)
    : model_(&model),
      chosen_(chosen),
      gamma_(gamma),
      num_labels_(model.structure(0).num_parts()),
      costs_(num_labels_ * num_labels_) {
  Loss{Loss::kInfinity, gamma}.validate();
  if (model.dimension() / num_labels_ > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("a label problem has at most 2^32 attributes");
  }
  // F_i applied to all labels at once writes x_i into each of them.
  const std::vector<double> ones(num_labels_, 1.0);
  MulticlassModel::Workspace workspace;
  SparseVector x;
  for (Index i = 0; i < num_examples(); ++i) {
    model_->features(chosen_[i], ones, 1, workspace, x);
    append_example(x);
    const std::span<double> costs = std::span(costs_).subspan(gold(i) * num_labels_, num_labels_);
    std::fill(costs.begin(), costs.end(), 0.0);
    model_->add_costs(chosen_[i], gamma, costs);
  }
}

void LabelProblem::append_example(const SparseVector& x) {
  double squared_norm = 0;
  for (const SparseVector::Run& run : x.runs()) {
    const std::span<const double> row = x.values(run);
    const bool whole = run.size == num_labels_ && run.begin % num_labels_ == 0;
    if (!whole || std::adjacent_find(row.begin(), row.end(), std::not_equal_to<>()) != row.end()) {
      throw UsageError("a label problem needs a weight for every attribute and label");
    }
    if (row[0] == 0) continue;
    rows_.push_back(static_cast<std::uint32_t>(run.begin / num_labels_));
    values_.push_back(row[0]);
    squared_norm += row[0] * row[0];
  }
  begin_.push_back(rows_.size());
  squared_norms_.push_back(squared_norm);
}

void LabelProblem::add_costs(Index i, std::span<const std::uint32_t> labels,
                             std::span<double> s) const {
  const double* row = costs_.data() + gold(i) * num_labels_;
  for (Index k = 0; k < labels.size(); ++k) s[k] += row[labels[k]];
}

void LabelProblem::scores(Index i, std::span<const double> w, std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  RowBatch batch;
  for (Index first = begin_[i]; first < begin_[i + 1]; first += kRowBatch) {
    batch.size = std::min(kRowBatch, begin_[i + 1] - first);
    for (Index k = 0; k < batch.size; ++k) {
      batch.rows[k] = w.data() + rows_[first + k] * num_labels_;
      prefetch_row(batch.rows[k], num_labels_);
      batch.values[k] = values_[first + k];
    }
    add_rows(batch, s.data(), num_labels_);
  }
}

void LabelProblem::scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
                          std::span<double> s) const {
  const Index m = labels.size();
  const Index end = begin_[i + 1];
  std::fill(s.begin(), s.end(), 0.0);
  for (Index k = begin_[i]; k < end; ++k) {
    if (k + kAttributesAhead < end)
      prefetch_row(w.data() + rows_[k + kAttributesAhead] * num_labels_, num_labels_);
    const double* row = w.data() + rows_[k] * num_labels_;
    const double value = values_[k];
    for (Index j = 0; j < m; ++j) s[j] += value * row[labels[j]];
  }
}

void LabelProblem::add(Index i, std::span<const std::uint32_t> labels,
                       std::span<const double> deltas, std::span<double> w) const {
  const Index m = labels.size();
  for (Index k = begin_[i]; k < begin_[i + 1]; ++k) {
    double* row = w.data() + rows_[k] * num_labels_;
    const double value = values_[k];
    for (Index j = 0; j < m; ++j) row[labels[j]] += value * deltas[j];
  }
}

void LabelProblem::add(Index i, std::span<const double> deltas, std::span<double> w) const {
  const Index end = begin_[i + 1];
  for (Index k = begin_[i]; k < end; ++k) {
    if (k + kAttributesAhead < end)
      prefetch_row(w.data() + rows_[k + kAttributesAhead] * num_labels_, num_labels_);
    axpy(values_[k], deltas, w.subspan(rows_[k] * num_labels_, num_labels_));
  }
}

}  // namespace trellis
