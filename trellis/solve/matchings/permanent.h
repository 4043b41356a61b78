// Sums over all perfect matchings of n rows with n columns, exactly:
//
//   log Z = log Σ_π exp Σ_i s_iπ(i)         the logarithm of the permanent of e^s
//   μ_ij  = P(π(i) = j) = ∂ log Z / ∂ s_ij   under p(π) = exp(Σ_i s_iπ(i)) / Z
//   H     = −Σ_π p(π) log p(π)
//
// and draws from p. To compute them is #P-hard (Valiant 1979); n ≤ 24 is feasible by subsets of
// columns (solve/matchings/subset_sums.h: time O(n 2ⁿ), 8·2ⁿ bytes of memory for log Z, entropies
// twice that and marginals too: 256 MB for n = 24). Tiny matrices, n ≤ 4, are enumerated.
//
// Scores of any size are safe without logarithms inside the sums. The best assignment σ and its
// duals give r ≤ 0 with r_iσ(i) = 0 (solve/matchings/reduced_scores.h), and
//
//   log Z = Σ_i s_iσ(i) + log(1 + ε),    1 + ε = Σ_π exp Σ_i r_iπ(i) ∈ [1, n!] :
//
// all factors are in [0, 1], and what is left out as tiny is below 10⁻⁴⁰ of the sum. With the
// columns renamed such that σ is the identity, every term of
//
//   ε = Σ_k Σ_{j<k} e^{r_kj} f({0…k}∖j)      (k is the last row whose column is not its own)
//
// is another permutation than σ, so that ε, and with it H = log(1 + ε) − Σ_ij μ_ij r_ij, keep their
// relative accuracy where σ has nearly all the mass.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/matchings/reduced_scores.h"
#include "trellis/solve/matchings/subset_sums.h"

namespace trellis {

inline constexpr Index kLargestPermanent = 24;

// Reuses its memory in repeated calls; use one object per thread. Scores are finite, n² by rows.
// The results for the last matrix are kept: further calls or draws with the same scores cost O(n²).
// Throws UsageError if n > kLargestPermanent.
class PermanentSums {
 public:
  double log_sum(Index n, std::span<const double> scores);
  // Writes μ, by rows, too.
  double log_sum(Index n, std::span<const double> scores, std::span<double> marginals);
  double entropy(Index n, std::span<const double> scores);
  // Writes π(i) for each row i.
  void draw(Index n, std::span<const double> scores, Random& random, std::span<Label> columns);

 private:
  void prepare(Index n, std::span<const double> scores);
  double excess() const;
  void add_marginals();

  ReducedScores scores_;
  bool ready_ = false;            // f, for `scores_`
  bool marginals_ready_ = false;  // and μ
  SubsetSums subsets_;
  double excess_ = 0;              // ε
  std::vector<double> marginals_;  // columns renamed
};

}  // namespace trellis
