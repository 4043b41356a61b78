// Weights that a kernel stands in for: w_t = Σ_l α_lt φ(x_l) for T targets t, over the feature
// vectors x_l of a training set, the representers (Lacoste-Julien 2009, sec. 2.5.1). All that a
// learner asks of w goes by the Gram matrix K of the representers:
//
//   score of target t at x_r     ⟨w_t, φ(x_r)⟩ = Σ_l K_rl α_lt
//   features of z at x_r         α_rt += z_t
//   ⟨v, w⟩                       Σ_t β_tᵀ K α_t
//
// Rows of K are kept as far as the memory allows: the first ones, for passes over the data want
// them all in turn, and no other choice of as many serves better. The others are made anew each
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/problem/kernels/kernel_gram.h"

namespace trellis {

class KernelGroup {
 public:
  static constexpr Index kCacheBytes = Index{1} << 30;  // for rows of K that are kept

  struct Workspace {
    std::vector<double> gram;       // rows of K
    std::vector<double> scattered;  // a sparse vector, spread out
    std::vector<double> scores;
  };

  KernelGroup(const Kernel& kernel, Index width, Index targets);

  // Adds the rows as representers and returns the number of the first. All must be dense, or all
  // sparse. Throws UsageError where a width does not fit.
  Index add(const FeatureRows& rows);
  // To be called once, after the last add(). `threads` are for what is not spread over examples:
  // the cache and inner products. Throws UsageError where a k(x, x) is not finite.
  void finish(int threads, Index cache_bytes = kCacheBytes);

  Index size() const { return num_rows_; }  // representers
  Index targets() const { return targets_; }
  Index num_coefficients() const { return num_rows_ * targets_; }
  Index num_cached() const { return num_cached_; }
  const Kernel& kernel() const { return kernel_; }

  // s[r·T + t] += factor · Σ_l K_{begin+r, l} α_lt for r < count. `s` has count·T entries.
  void add_scores(Index begin, Index count, std::span<const double> alpha, double factor,
                  Workspace& workspace, std::span<double> s) const;
  // The same for vectors that are no representers.
  void add_scores(const FeatureRows& rows, std::span<const double> alpha, double factor,
                  Workspace& workspace, std::span<double> s) const;
  double inner_product(std::span<const double> beta, std::span<const double> alpha) const;

 private:
  const double* gram_rows(Index begin, Index count, Workspace& workspace) const;
  void make_rows(Index begin, Index count, Workspace& workspace, double* out) const;
  void sparse_row(std::span<const std::uint32_t> ids, std::span<const float> values,
                  Workspace& workspace, double* out) const;
  void multiply(const double* gram, Index count, std::span<const double> alpha, double factor,
                Workspace& workspace, std::span<double> s) const;

  Kernel kernel_;
  Index width_;
  Index targets_;
  Index num_rows_ = 0;
  int threads_ = 1;
  bool dense_ = true;
  std::vector<float> values_;        // of all representers
  std::optional<GramRows> vectors_;  // the dense ones, finished
  std::vector<Index> begin_ = {0};   // of the sparse ones
  std::vector<std::uint32_t> ids_;
  std::vector<double> norms_;  // of the sparse ones
  Index num_cached_ = 0;
  std::vector<double> cache_;
};

}  // namespace trellis
