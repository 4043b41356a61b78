#include "trellis/solve/permanent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "trellis/base/error.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/exact_sum.h"
#include "trellis/solve/permanent_enumeration.h"
#include "trellis/solve/vector_kernels.h"

namespace trellis {

bool PermanentSums::is_current(Index n, std::span<const double> scores) const {
  return ready_ && n == n_ && std::memcmp(scores.data(), scores_.data(), scores.size_bytes()) == 0;
}

// r and its exponentials. Differences within a row come first: what its scores have in common is
// gone before anything is rounded.
void PermanentSums::reduce() {
  if (!assignment_.solve({n_, n_, {}, {}}, scores_, Cover::kPerfect)) {
    throw UsageError("scores of matchings must be finite");
  }
  const std::span<const Label> best = assignment_.column_of_row();
  column_of_.assign(best.begin(), best.end());
  const std::span<const double> v = assignment_.column_duals();
  reduced_.resize(n_ * n_);
  ExactSum sum;
  for (Index i = 0; i < n_; ++i) {
    const double* s = &scores_[i * n_];
    const auto own = static_cast<Index>(column_of_[i]);
    sum.add(s[own]);
    for (Index k = 0; k < n_; ++k) {
      const auto j = static_cast<Index>(column_of_[k]);
      reduced_[i * n_ + k] = std::min(0.0, (s[j] - s[own]) - (v[j] - v[own]));
    }
    reduced_[i * n_ + i] = 0;
  }
  best_ = sum.value();
  factors_.resize(n_ * n_);
  exp_shifted(reduced_, 0, factors_);
}

double PermanentSums::excess() const {
  double sum = 0;
  for (Index k = 1; k < n_; ++k) {
    const Index first = (Index{2} << k) - 1;
    for (Index j = 0; j < k; ++j) {
      sum += factors_[k * n_ + j] * subsets_.f(first ^ (Index{1} << j));
    }
  }
  return sum;
}

void PermanentSums::prepare(Index n, std::span<const double> scores) {
  if (n > kLargestPermanent) {
    throw UsageError(fmt::format(
        "exact sums over matchings go to {0} by {0} nodes, and this one has {1}: estimate them by "
        "draws (MonteCarloProblem, solve/matching_sampler.h)",
        kLargestPermanent, n));
  }
  assert(scores.size() == n * n);
  if (is_current(n, scores)) return;
  ready_ = marginals_ready_ = false;
  n_ = n;
  scores_.assign(scores.begin(), scores.end());
  reduce();
  subsets_.forward(n_, factors_);
  excess_ = excess();
  ready_ = true;
}

void PermanentSums::add_marginals() {
  if (marginals_ready_) return;
  marginals_.resize(n_ * n_);
  subsets_.backward(marginals_);
  for (double& marginal : marginals_) marginal = std::min(1.0, marginal / (1 + excess_));
  marginals_ready_ = true;
}

double PermanentSums::log_sum(Index n, std::span<const double> scores) {
  if (n <= kLargestEnumeration) return enumerate_log_sum(n, scores);
  prepare(n, scores);
  return best_ + portable_log1p(excess_);
}

double PermanentSums::log_sum(Index n, std::span<const double> scores,
                              std::span<double> marginals) {
  if (n <= kLargestEnumeration) return enumerate_log_sum(n, scores, marginals);
  prepare(n, scores);
  add_marginals();
  for (Index i = 0; i < n_; ++i) {
    for (Index k = 0; k < n_; ++k) {
      marginals[i * n_ + static_cast<Index>(column_of_[k])] = marginals_[i * n_ + k];
    }
  }
  return best_ + portable_log1p(excess_);
}

double PermanentSums::entropy(Index n, std::span<const double> scores) {
  if (n <= kLargestEnumeration) return enumerate_entropy(n, scores);
  prepare(n, scores);
  add_marginals();
  return portable_log1p(excess_) - dot(marginals_, reduced_);
}

// The last row first: given that S is left for rows 0 … |S|−1, row |S|−1 takes j ∈ S with
// probability e^{r_{|S|−1,j}} f(S∖j) / f(S).
void PermanentSums::draw(Index n, std::span<const double> scores, Random& random,
                         std::span<Label> columns) {
  if (n <= kLargestEnumeration) {
    enumerate_draw(n, scores, random, columns);
    return;
  }
  prepare(n, scores);
  assert(columns.size() == n_);
  double weights[kLargestPermanent];
  Index set = (Index{1} << n_) - 1;
  for (Index i = n_; i-- > 0;) {
    for (Index k = 0; k < n_; ++k) {
      const Index bit = Index{1} << k;
      weights[k] = (set & bit) != 0 ? factors_[i * n_ + k] * subsets_.f(set ^ bit) : 0.0;
    }
    const Index chosen = trellis::draw(std::span(weights).first(n_), random);
    columns[i] = column_of_[chosen];
    set ^= Index{1} << chosen;
  }
}

}  // namespace trellis
