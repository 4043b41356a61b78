// Sums over the bijections between rows and sets of columns of an n×n matrix a ≥ 0, by dynamic
// programming over subsets (Bellman 1962 and Held & Karp 1962 for tours; for permanents see Ryser
// 1963, ch. 2). For a set S of columns
//
//   f(S) = Σ_{j∈S} a_{|S|−1,j} f(S∖j),    f(∅) = 1       rows 0 … |S|−1 onto S
//   b(S) = Σ_{j∉S} a_{|S|,j} b(S∪j),      b(all) = 1     rows |S| … n−1 onto the rest
//
// so that per a = f(all) = b(∅), and the permutations that pair i with j sum to
//
//   t_ij = a_ij Σ_{|S|=i, j∉S} f(S) b(S∪j) .
//
// No term is negative, so nothing cancels, unlike in Ryser's formula. Entries, f and b below 2⁻²⁵⁰
// count as 0, so that nothing is denormal: with entries ≤ 1 and a permanent ≥ 1 that is less than
// 10⁻⁴⁰ of the sum.
//
// Time: n 2^{n−1} products for f, twice as many for b and t together. A set is a number whose bit j
// is 1 if column j is in it. Memory: 8·2ⁿ bytes for f, the same for b: 128 MB each for n = 24.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/matchings/subset_kernels.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class SubsetSums {
 public:
  static constexpr Index kSmallest = SubsetCoefficients::kSmallest;

  // Computes f. Requires kSmallest ≤ n < 32 and n² entries, by rows.
  void forward(Index n, std::span<const double> a);
  double f(Index set) const { return f_[set]; }
  double total() const { return f_[(Index{1} << n_) - 1]; }  // per a
  // A permutation, by rows, with probability Π_i a_iπ(i) / per a, which must be > 0. O(n²).
  void draw(Random& random, std::span<Label> columns) const;

  // Computes b from the f of the last call, and t, of n² entries, over `totals`.
  void backward(std::span<double> totals);

 private:
  static constexpr Index kLanes = SubsetCoefficients::kLanes;
  static constexpr Index kQuads = SubsetCoefficients::kQuads;
  static constexpr double kTiny = SubsetCoefficients::kTiny;

  void lay_out(std::span<const double> a);
  void collect(std::span<double> totals) const;
  SubsetCoefficients coefficients() const { return {layout_.data(), quads_.data(), n_}; }

  Index n_ = 0;
  std::vector<double> f_, b_;
  std::vector<double> layout_, quads_;  // of SubsetCoefficients
  std::vector<double> sums_;            // like the layout: Σ f(S) b(S∪j)
};

}  // namespace trellis
