// One label by itself, as a part model: does instance i have it? The part is the answer yes,
//
//   score(x_i, yes) = θ·x_i,     cost 1 for the wrong answer,
//
// so the smooth problem of β = 1, γ = 0 is logistic regression, log(1 + exp(∓θ·x_i)), and the hinge
// problem is the binary support vector machine, max(0, 1 ∓ θ·x_i). Of each row only the first
// `width` features are seen: in a chain (Read et al. 2009) the labels that come before this one
// stand behind the features, those that come after it behind them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/part_model.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis::label {

class BinaryModel {
 public:
  using Structure = LabelSet;
  struct Workspace {};

  // has[i] ≠ 0: instance i has the label. Both must outlive the model. Throws UsageError where they
  // do not fit.
  BinaryModel(const FeatureRows& rows, std::span<const std::uint8_t> has, Index width)
      : rows_(&rows), has_(has), width_(width) {
    if (has.size() != rows.num_rows() || width > rows.width()) {
      throw UsageError("a label requires a value for each row, and features that the rows have");
    }
  }

  Index num_examples() const { return has_.size(); }
  Index dimension() const { return width_; }
  double example_weight(Index) const { return 1; }
  LabelSet structure(Index) const { return LabelSet(1); }
  const LabelSet::Output& gold(Index i) const { return answers_[has_[i] != 0 ? 1 : 0]; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    double sum = 0;
    each_feature(i, [&](Index k, double x) { sum += x * w[k]; });
    s[0] = sum;
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    s[0] += has_[i] != 0 ? -scale : scale;
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    const double factor = scale * z[0];
    if (factor == 0) return;
    each_feature(i, [&](Index k, double x) { gradient[k] += factor * x; });
  }
  void features(Index i, std::span<const double> z, double scale, Workspace&,
                SparseVector& slope) const {
    slope.clear();
    const double factor = scale * z[0];
    if (factor == 0) return;
    if (rows_->is_dense()) {
      const std::span<double> run = slope.append(0, width_);
      each_feature(i, [&](Index k, double x) { run[k] = factor * x; });
    } else {
      each_feature(i, [&](Index k, double x) { slope.append(k, 1)[0] = factor * x; });
    }
  }

 private:
  // visit(feature, value) for the features of row i below the width.
  template <class Visit>
  void each_feature(Index i, const Visit& visit) const {
    if (rows_->is_dense()) {
      const auto x = rows_->dense_row(i).first(width_);
      for (Index k = 0; k < width_; ++k) visit(k, static_cast<double>(x[k]));
      return;
    }
    const auto ids = rows_->ids(i);
    const auto values = rows_->values(i);
    for (Index k = 0; k < ids.size() && ids[k] < width_; ++k) {
      visit(ids[k], static_cast<double>(values[k]));
    }
  }

  const FeatureRows* rows_;
  std::span<const std::uint8_t> has_;
  Index width_;
  std::array<LabelSet::Output, 2> answers_ = {LabelSet::Output{0}, LabelSet::Output{1}};
};

static_assert(PartModel<BinaryModel>);

}  // namespace trellis::label
