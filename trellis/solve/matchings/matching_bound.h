// Upper bounds on the permanent of a matrix a ≥ 0, as a product of one factor for each row, and how
// they decrease when a row and a column are paired:
//
//   per a ≤ U(a) = Π_k S_k
//
// kHuberLaw (Huber & Law 2008, "Fast approximation of the permanent for very dense problems"): with
// entries in [0, 1] and row sums r_k,
//
//   S_k = h(r_k)/e,    h(r) = r + ½ ln r + e − 1  for r ≥ 1,    1 + (e − 1) r  for r < 1 .
//
// kSoules (Soules 2005, "Permanental bounds for nonnegative matrices via decomposition"): with the
// entries of row k in falling order, x_1 ≥ x_2 ≥ …,
//
//   S_k = Σ_p x_p (γ_p − γ_{p−1}),    γ_p = (p!)^{1/p},  γ_0 = 0 .
//
// The latter is the bound of Minc and Brègman for 0/1 matrices; it is never above the former, for
// γ's interpolation is below h/e.
//
// Pairing row i with column j leaves the rows k ≠ i without column j, with factors W_kj, so
//
//   U(a; π(i) = j) = a_ij Π_{k≠i} W_kj,       T_j = Σ_i U(a; π(i) = j) / U(a) .
//
// Draws by self-reduction need a column with T_j ≤ 1. For kHuberLaw every column is one: h
// satisfies ln h(r) − ln h(r − x) ≥ x / h(r − x) for 0 ≤ x ≤ min(1, r), so with y_i = x_i / h(r_i −
// x_i)
//
//   T_j = e Σ_i y_i Π_k h(r_k − x_k)/h(r_k) ≤ e (Σ y_i) exp(−Σ y_i) ≤ 1 .
//
// For kSoules no proof is known; the sampler checks whether some T_j ≤ 1, and matching_sampler.h
// describes what happens if not.
//
// The bound, unlike the permanent, changes with the scales of the columns. log Π S_k + Σ v_j is
// convex in the logarithms v of the scales divided out (for kSoules: each S_k is a maximum of sums
// of exponentials), and at its minimum the entries' shares of the bound add up to 1 in each column:
// improve_scaling() iterates towards that, as Sinkhorn's (1964) does for plain row sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

enum class MatchingBound { kHuberLaw, kSoules };

// A square matrix, its rows and columns numbered as in the one that it is a part of.
class BoundedMatrix {
 public:
  // n² entries in [0, 1] by rows, n < 2¹⁶.
  void assign(MatchingBound bound, Index n, std::span<const double> entries);
  // `other` without a row and a column (positions in it), which are paired.
  void assign_without(const BoundedMatrix& other, Index row, Index column);

  Index size() const { return rows_.size(); }
  Index row(Index position) const { return rows_[position]; }
  Index column(Index position) const { return columns_[position]; }

  // The best of some scalings of the columns; the bound never rises.
  void improve_scaling(Index iterations);
  // log U, with the entries of the pairs that were taken out; −∞ where there is no permutation.
  double log_bound() const;

  struct Split {
    Index column = 0;  // position
    double total = 0;  // T_j
  };
  // The column with the smallest T_j, and by row position U(a; π(i) = j) / U(a).
  Split split(std::vector<double>& weights);
  // Entries over their row's factor, so that the permanent of them is per a / U(a) ≤ 1.
  void relative_entries(std::vector<double>& entries);

 private:
  void sort_rows();
  double row_factor(Index row) const;
  double falling_factors(Index row, double* without) const;
  double log_row_factors() const;
  void column_shares(std::vector<double>& shares) const;
  void scale_columns(std::span<const double> factors);
  void scale_rows();

  MatchingBound bound_ = MatchingBound::kSoules;
  std::vector<std::uint16_t> rows_, columns_;
  std::vector<double> entries_;       // by rows
  std::vector<std::uint16_t> order_;  // each row's column positions, the largest entry first
  std::vector<double> increments_;    // γ_p − γ_{p−1} from p = 1 on
  double log_scale_ = 0;              // log of what was taken out
  // Memory of split: by column position.
  std::vector<double> without_, share_, product_, sum_;
};

}  // namespace trellis
