#include "trellis/structure/matchings/permutation.h"

#include "trellis/base/error.h"

namespace trellis {

void Permutation::sample(std::span<const double> s, Random& random, Scratch& scratch,
                         Output& y) const {
  y.resize(size());
  if (has_tables()) {
    scratch.sums.draw(size(), s, random, y);
    return;
  }
  scratch.sampler.prepare(size(), s);
  scratch.sampler.draw(random, y);
}

LogSumEstimate Permutation::sample_and_estimate(std::span<const double> s, Index draws,
                                                Random& random, Scratch& scratch,
                                                std::vector<Output>& outputs) const {
  if (draws == 0) throw UsageError("an estimate takes at least one draw");
  scratch.sampler.reset_counts();
  outputs.resize(draws);
  for (Output& y : outputs) sample(s, random, scratch, y);
  if (has_tables()) return {scratch.sums.log_sum(size(), s), 0, draws, draws};
  LogSumEstimate estimate = scratch.sampler.log_sum();
  // The variance of log(accepted / attempts) is (1 − p)/K; half of it is the bias.
  estimate.value -= 0.5 * estimate.standard_error * estimate.standard_error;
  return estimate;
}

}  // namespace trellis
