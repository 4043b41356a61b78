// Multi-label learning in the forward direction: the input is an instance i with features x_i, the
// output the set y ∈ {0,1}^V of its labels, and a measure of that set counts. The mean over
// instances is the example measure (example-F_β, or Hamming; Petterson 2011, sec. 3.2.1 and ch. 4).
//
//   score(x, y) = Σ_v y_v θ_v·x,      θ_v[k] = w[k·V + v]
//
// That is a FeatureBlock of one row and T = V targets. Costs are γ Δ(y, y_i), by
// solve/measures/measure_argmax.h. The hinge takes any measure. Hamming's costs are linear in the
// parts besides: HammingLabelModel is for what asks for that (k-best, smooth losses). Without costs
// (γ = 0) its conditional random field of V independent labels is logistic binary relevance.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/feature_block.h"
#include "trellis/problem/part_model.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/solve/measures/set_measure.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis {

class LabelSetModel {
 public:
  using Structure = LabelSet;
  struct Workspace {};

  // labels[i]: those of the instance of row i, ascending. `rows` and what the spans refer to must
  // outlive the model. Throws UsageError for labels that are not ascending or below `num_labels`,
  // and for another number of sets than rows.
  LabelSetModel(const FeatureRows& rows, Index num_labels,
                std::vector<std::span<const std::uint32_t>> labels, SetMeasure measure = {},
                ArgmaxAlgorithm algorithm = ArgmaxAlgorithm::kMerged);

  Index num_examples() const { return labels_.size(); }
  Index dimension() const { return num_labels_ * rows_->width(); }
  Index num_labels() const { return num_labels_; }
  double example_weight(Index) const { return 1; }
  LabelSet structure(Index) const { return LabelSet(num_labels_); }
  const LabelSet::Output& gold(Index i) const { return gold_[i]; }
  const SetMeasure& measure() const { return measure_; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  // A run of V weights for each feature of the instance; one run where rows are dense.
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;
  double maximize_augmented(Index i, double gamma, std::span<const double> s,
                            LabelSet::Scratch& scratch, Workspace& workspace,
                            LabelSet::Output& y) const;
  // By solve/measures/measure_product.h, whatever the algorithm.
  RescaledMaximum maximize_rescaled(Index i, double gamma, std::span<const double> s,
                                    LabelSet::Scratch& scratch, Workspace& workspace,
                                    LabelSet::Output& y) const;

 private:
  const FeatureRows* rows_;
  Index num_labels_;
  std::vector<std::span<const std::uint32_t>> labels_;
  SetMeasure measure_;
  ArgmaxAlgorithm algorithm_;
  std::vector<LabelSet::Output> gold_;
};

class HammingLabelModel final : public LabelSetModel {
 public:
  HammingLabelModel(const FeatureRows& rows, Index num_labels,
                    std::vector<std::span<const std::uint32_t>> labels)
      : LabelSetModel(rows, num_labels, std::move(labels), {SetMeasure::Kind::kHamming}) {}

  // p_v = ±1/V
  void add_costs(Index i, double scale, std::span<double> s) const;
};

static_assert(CostMaximizer<LabelSetModel> && RescaledMaximizer<LabelSetModel> &&
              !PartModel<LabelSetModel>);
static_assert(PartModel<HammingLabelModel> && CostMaximizer<HammingLabelModel>);

}  // namespace trellis
