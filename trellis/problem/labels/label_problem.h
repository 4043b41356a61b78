// A flat classifier as a LabelOracle: the margin problem of hinge_problem.h over MulticlassModel,
// with the examples laid out for many passes: merged attributes, and rows that are found without a
// look-up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/oracle/label_oracle.h"
#include "trellis/problem/chosen_examples.h"
#include "trellis/problem/labels/multiclass_model.h"

namespace trellis {

class LabelProblem final : public LabelOracle {
 public:
  // The model and the chosen examples must outlive the problem. Throws UsageError where an
  // attribute of an example has no weight for some label: the labels of such an example do not
  // share one vector x_i. Memory: 12 bytes for each attribute of each example, and L² costs.
  explicit LabelProblem(const MulticlassModel& model, double gamma = 1, ChosenExamples chosen = {});

  Index num_examples() const override { return chosen_.count(model_->num_examples()); }
  Index num_labels() const override { return num_labels_; }
  Index dimension() const override { return model_->dimension(); }
  Index gold(Index i) const override { return static_cast<Index>(model_->gold(chosen_[i])); }
  double weight(Index i) const override { return model_->example_weight(chosen_[i]); }
  double squared_norm(Index i) const override { return squared_norms_[i]; }
  void add_costs(Index i, std::span<double> s) const override {
    model_->add_costs(chosen_[i], gamma_, s);
  }
  void add_costs(Index i, std::span<const std::uint32_t> labels,
                 std::span<double> s) const override;

  void scores(Index i, std::span<const double> w, std::span<double> s) const override;
  void scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
              std::span<double> s) const override;
  void add(Index i, std::span<const std::uint32_t> labels, std::span<const double> deltas,
           std::span<double> w) const override;
  void add(Index i, std::span<const double> deltas, std::span<double> w) const override;

 private:
  void append_example(const SparseVector& x);

  const MulticlassModel* model_;
  ChosenExamples chosen_;
  double gamma_;
  Index num_labels_;
  std::vector<double> costs_;       // L × L: γ times the cost of each label where another is true
  std::vector<Index> begin_ = {0};  // of each example, in rows_ and values_
  std::vector<std::uint32_t> rows_;  // row r is w[rL] … w[rL + L − 1]
  std::vector<double> values_;
  std::vector<double> squared_norms_;
};

}  // namespace trellis
