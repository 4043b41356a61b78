#include "trellis/solve/matchings/permanent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "trellis/base/error.h"
#include "trellis/solve/matchings/permanent_enumeration.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double PermanentSums::excess() const {
  const Index n = scores_.size();
  const std::span<const double> factors = scores_.factors();
  double sum = 0;
  for (Index k = 1; k < n; ++k) {
    const Index first = (Index{2} << k) - 1;
    for (Index j = 0; j < k; ++j) {
      sum += factors[k * n + j] * subsets_.f(first ^ (Index{1} << j));
    }
  }
  return sum;
}

void PermanentSums::prepare(Index n, std::span<const double> scores) {
  if (n > kLargestPermanent) {
    throw UsageError(fmt::format(
        "exact sums over matchings are possible up to {0} by {0} nodes, but this graph has {1}: "
        "estimate them by draws (MonteCarloProblem, solve/matchings/matching_sampler.h)",
        kLargestPermanent, n));
  }
  assert(scores.size() == n * n);
  if (ready_ && scores_.is_of(n, scores)) return;
  ready_ = marginals_ready_ = false;
  scores_.reduce(n, scores);
  subsets_.forward(n, scores_.factors());
  excess_ = excess();
  ready_ = true;
}

void PermanentSums::add_marginals() {
  if (marginals_ready_) return;
  marginals_.resize(scores_.size() * scores_.size());
  subsets_.backward(marginals_);
  for (double& marginal : marginals_) marginal = std::min(1.0, marginal / (1 + excess_));
  marginals_ready_ = true;
}

double PermanentSums::log_sum(Index n, std::span<const double> scores) {
  if (n <= kLargestEnumeration) return enumerate_log_sum(n, scores);
  prepare(n, scores);
  return scores_.best() + portable_log1p(excess_);
}

double PermanentSums::log_sum(Index n, std::span<const double> scores,
                              std::span<double> marginals) {
  if (n <= kLargestEnumeration) return enumerate_log_sum(n, scores, marginals);
  prepare(n, scores);
  add_marginals();
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      marginals[i * n + static_cast<Index>(scores_.column(k))] = marginals_[i * n + k];
    }
  }
  return scores_.best() + portable_log1p(excess_);
}

double PermanentSums::entropy(Index n, std::span<const double> scores) {
  if (n <= kLargestEnumeration) return enumerate_entropy(n, scores);
  prepare(n, scores);
  add_marginals();
  return portable_log1p(excess_) - dot(marginals_, scores_.reduced());
}

void PermanentSums::draw(Index n, std::span<const double> scores, Random& random,
                         std::span<Label> columns) {
  if (n <= kLargestEnumeration) {
    enumerate_draw(n, scores, random, columns);
    return;
  }
  prepare(n, scores);
  assert(columns.size() == n);
  subsets_.draw(random, columns);
  for (Label& column : columns) column = scores_.column(static_cast<Index>(column));
}

}  // namespace trellis
