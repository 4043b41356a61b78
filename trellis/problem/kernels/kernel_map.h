// Explicit features for a kernel: vectors φ(x_i) with ⟨φ(x_i), φ(x_j)⟩ = k(x_i, x_j) on n given
// vectors, so that every learner of the library works with kernels.
//
// By the pivoted (incomplete) Cholesky decomposition of the Gram matrix, K = L Lᵀ + E (Fine &
// Scheinberg 2001, "Efficient SVM training using low-rank kernel representations"). Row i of L is
// φ(x_i), of as many entries as there are pivots; the first rows, in the order of the pivots P,
// are a triangle L_P. What is left, E, is positive semidefinite, so
//
//   |k(x_i, x_j) − ⟨φ(x_i), φ(x_j)⟩|² ≤ E_ii E_jj ≤ residual()².
//
// A new x has φ(x) = L_P⁻¹ k_P(x), with k_P(x) = (k(x, x_p))_{p ∈ P}: its projection onto the span
// of the pivots. Hence ⟨w, φ(x)⟩ = ⟨α, k_P(x)⟩ with α = L_P⁻ᵀ w: a prediction costs one kernel
// evaluation for each pivot and needs L no more.
//
// The classical algorithm takes the largest E_ii as the next pivot, and updates one column at a
// time. Here columns are prepared 64 at a time, of the rows with the largest E_ii, by matrix
// products; a pivot is taken while its E_ii is at least half of the largest one, the others are
// dropped. Every pivot so is within a factor 2 of the greedy choice. About n·r·(r + width)
// multiplications; n·r doubles, and some three times as many while L grows.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel.h"

namespace trellis {

struct KernelMapOptions {
  Index max_rank = 0;  // 0: as many as there are vectors
  // Done when every E_ii ≤ tolerance · max_j k(x_j, x_j). Below 1e-12 rounding errors decide, so
  // that is what smaller values mean.
  double tolerance = 1e-8;
  int threads = 1;  // the bits do not depend on it
};

class KernelMap {
 public:
  // `rows`: the vectors, of `width` values each, one after another. Throws UsageError where the
  // options or sizes do not fit, or where a k(x, x) is not finite.
  KernelMap(const Kernel& kernel, std::span<const float> rows, Index width,
            const KernelMapOptions& options = {});

  const Kernel& kernel() const { return kernel_; }
  Index width() const { return width_; }
  Index rank() const { return rank_; }                       // the size of φ
  Index num_rows() const { return position_.size(); }        // n
  double residual() const { return residual_; }              // max_i E_ii
  double trace_residual() const { return trace_; }           // Σ_i E_ii
  std::span<const Index> pivots() const { return pivots_; }  // which of the vectors, in order
  // The pivots themselves, one after another: what a model that predicts by α must keep.
  std::span<const float> pivot_vectors() const { return pivot_vectors_; }

  // φ(x_i), of size rank().
  std::span<const double> features(Index i) const {
    return std::span(l_).subspan(position_[i] * rank_, rank_);
  }
  // φ of vectors that need not be among the n: `phi` has rank() entries for each.
  void map(std::span<const float> x, std::span<double> phi, int threads = 1) const;
  // α ← L_P⁻ᵀ w in place, for each of `columns` columns of the matrix w of rank() rows, which lies
  // row by row as the weights of a (feature × label) table do.
  void to_coefficients(std::span<double> w, Index columns = 1) const;

 private:
  friend class PivotedCholesky;

  Kernel kernel_;
  Index width_;
  Index rank_ = 0;
  double residual_ = 0;
  double trace_ = 0;
  std::vector<Index> pivots_;
  std::vector<Index> position_;  // of vector i among the rows of l_; pivots first
  std::vector<float> pivot_vectors_;
  std::vector<double> l_;  // n × rank_
};

}  // namespace trellis
