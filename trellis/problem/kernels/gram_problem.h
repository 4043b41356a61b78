// A flat classifier through a kernel as a LabelOracle: vectors are known by the values
// K_ij = k(x_i, x_j) alone, so that the dual methods for one label (learn/dual/smo.h, soft_smo.h)
// are those of kernel machines (Crammer & Singer 2001, sec. 5; Platt 1998).
//
//   w_y = Σ_i β_i(y) φ(x_i),     f_j(y) = ⟨w_y, φ(x_j)⟩ = Σ_i β_i(y) K_ij.
//
// What the learners move as w is both, β and then f, each with a row of all columns j for every
// label. A visit thus reads its scores, and a move of m labels costs m times the number of columns,
// whatever the features are. Columns may be more than the examples: those of held-out vectors are
// scored at every moment, too.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/oracle/label_oracle.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/kernels/kernel.h"

namespace trellis {

// K of some vectors with these and others. As floats: a row is read by every move.
class GramTable {
 public:
  // `x`: the vectors of the columns, of `width` values each; the first `rows` of them are those of
  // the rows. `constant` is added to every value: the product of a feature that all vectors have.
  GramTable(const Kernel& kernel, std::span<const float> x, Index width, Index rows,
            double constant, int threads = 1);

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  std::span<const float> row(Index i) const {
    return std::span(values_).subspan(i * columns_, columns_);
  }

 private:
  Index rows_;
  Index columns_;
  std::vector<float> values_;
};

class GramProblem final : public LabelOracle {
 public:
  // All but `chosen` must outlive the problem; `labels` of the rows of the table. `chosen` are rows
  // to learn from; none: all.
  GramProblem(const GramTable& gram, std::span<const Label> labels, const CostTable& costs,
              double gamma = 1, std::span<const Index> chosen = {});

  Index num_examples() const override { return chosen_.size(); }
  Index num_labels() const override { return costs_->num_labels(); }
  Index dimension() const override { return 2 * num_labels() * gram_->columns(); }
  Index gold(Index i) const override { return static_cast<Index>(labels_[chosen_[i]]); }
  double weight(Index) const override { return 1; }
  double squared_norm(Index i) const override { return gram_->row(chosen_[i])[chosen_[i]]; }
  void add_costs(Index i, std::span<double> s) const override;
  void add_costs(Index i, std::span<const std::uint32_t> labels,
                 std::span<double> s) const override;

  void scores(Index i, std::span<const double> w, std::span<double> s) const override;
  void scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
              std::span<double> s) const override;
  void add(Index i, std::span<const std::uint32_t> labels, std::span<const double> deltas,
           std::span<double> w) const override;
  void add(Index i, std::span<const double> deltas, std::span<double> w) const override;
  bool knows_scores() const override { return true; }
  // Always true: the β of a w must be 0 for all columns but those of the chosen rows.
  bool coefficients(Index i, std::span<const double> w, std::span<double> beta) const override;
  // ‖w‖² = Σ_y Σ_j β_j(y) f_j(y).
  std::pair<std::span<const double>, std::span<const double>> length_factors(
      std::span<const double> w) const override {
    return {w.first(w.size() / 2), w.last(w.size() / 2)};
  }

 private:
  void add_to_label(Index row, Index label, double delta, std::span<double> w) const;

  const GramTable* gram_;
  std::span<const Label> labels_;
  const CostTable* costs_;
  double gamma_;
  std::vector<Index> chosen_;
};

// Of the w of such a problem: f_j(y) for all labels, and β_j(y).
void gram_scores(std::span<const double> w, Index columns, Index j, std::span<double> s);
void gram_coefficients(std::span<const double> w, Index columns, Index j, std::span<double> beta);

}  // namespace trellis
