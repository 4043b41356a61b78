// Multi-label learning in reverse (Petterson & Caetano 2010; Petterson 2011, ch. 3): the input is a
// label n, the output the set y ∈ {0,1}^V of the instances that have it, and a measure of that set
// counts: F_β, precision, recall, Hamming. The mean over labels is the macro measure.
//
//   score(n, y) = ⟨y, Ψ θⁿ⟩,     w = (θ⁰, θ¹, …),     θⁿ = w[n·D … (n+1)·D)
//
// Ψ has a row of D features for each of the V instances; a bias is one of them. Costs are
// γ Δ(y, yⁿ), by solve/measures/measure_argmax.h.
//
// Nothing ties the labels together: λ/2 ‖w‖² + (1/N) Σ_n L_n(θⁿ) is a problem of each label by
// itself, with N λ in the place of λ and 1/N before it. A model of a single label (N = 1, dimension
// D) is the way to train them in parallel; one of all labels is the same problem at once, at the
// memory of its true sets, 4 N V bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/labels/row_products.h"
#include "trellis/problem/part_model.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/solve/measures/set_measure.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis {

class ReverseLabelModel {
 public:
  using Structure = LabelSet;
  struct Workspace {};

  // instances[n]: those that have label n, ascending. The rows and what the spans refer to must
  // outlive the model. Throws UsageError for instances that are not ascending or have no row.
  // Models of one label each share `rows`: make_shared<RowProducts>(feature_rows), once for all.
  ReverseLabelModel(std::shared_ptr<const RowProducts> rows,
                    std::vector<std::span<const std::uint32_t>> instances, SetMeasure measure = {},
                    ArgmaxAlgorithm algorithm = ArgmaxAlgorithm::kMerged);
  ReverseLabelModel(const FeatureRows& rows, std::vector<std::span<const std::uint32_t>> instances,
                    SetMeasure measure = {}, ArgmaxAlgorithm algorithm = ArgmaxAlgorithm::kMerged);

  Index num_examples() const { return instances_.size(); }
  Index dimension() const { return instances_.size() * rows_->width(); }
  double example_weight(Index) const { return 1; }
  LabelSet structure(Index) const { return LabelSet(rows_->num_rows()); }
  const LabelSet::Output& gold(Index n) const { return gold_[n]; }
  const SetMeasure& measure() const { return measure_; }

  void scores(Index n, std::span<const double> w, std::span<double> s) const;  // s ← Ψ θⁿ
  // gradient's block n += scale · Ψᵀ z
  void add_features(Index n, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  // One run: block n.
  void features(Index n, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;
  double maximize_augmented(Index n, double gamma, std::span<const double> s,
                            LabelSet::Scratch& scratch, Workspace& workspace,
                            LabelSet::Output& y) const;
  // By solve/measures/measure_product.h, whatever the algorithm.
  RescaledMaximum maximize_rescaled(Index n, double gamma, std::span<const double> s,
                                    LabelSet::Scratch& scratch, Workspace& workspace,
                                    LabelSet::Output& y) const;

 private:
  std::shared_ptr<const RowProducts> rows_;
  std::vector<std::span<const std::uint32_t>> instances_;
  SetMeasure measure_;
  ArgmaxAlgorithm algorithm_;
  std::vector<LabelSet::Output> gold_;
};

static_assert(CostMaximizer<ReverseLabelModel> && RescaledMaximizer<ReverseLabelModel>);

}  // namespace trellis
