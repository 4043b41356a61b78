#include "trellis/solve/matchings/reduced_scores.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/exact_sum.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

bool ReducedScores::is_of(Index n, std::span<const double> scores) const {
  return ready_ && n == n_ && scores.size() == scores_.size() &&
         (n == 0 || std::memcmp(scores.data(), scores_.data(), scores.size_bytes()) == 0);
}

// Differences within a row come first: what its scores have in common is gone before anything is
// rounded.
void ReducedScores::reduce(Index n, std::span<const double> scores) {
  assert(scores.size() == n * n);
  ready_ = false;
  n_ = n;
  scores_.assign(scores.begin(), scores.end());
  if (!assignment_.solve({n, n, {}, {}}, scores_, Cover::kPerfect)) {
    throw UsageError("scores of matchings must be finite");
  }
  const std::span<const Label> best = assignment_.column_of_row();
  column_of_.assign(best.begin(), best.end());
  const std::span<const double> v = assignment_.column_duals();
  reduced_.resize(n * n);
  ExactSum sum;
  for (Index i = 0; i < n; ++i) {
    const double* s = &scores_[i * n];
    const auto own = static_cast<Index>(column_of_[i]);
    sum.add(s[own]);
    for (Index k = 0; k < n; ++k) {
      const auto j = static_cast<Index>(column_of_[k]);
      reduced_[i * n + k] = std::min(0.0, (s[j] - s[own]) - (v[j] - v[own]));
    }
    reduced_[i * n + i] = 0;
  }
  best_ = sum.value();
  factors_.resize(n * n);
  exp_shifted(reduced_, 0, factors_);
  ready_ = true;
}

}  // namespace trellis
