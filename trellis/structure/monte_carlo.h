// Expectations by draws: for y_1 … y_K from p(y) ∝ exp(s·z(y)),
//
//   E[z] ≈ z̄ = (1/K) Σ_k z(y_k),     Var z̄_p ≈ Σ_k (z_p(y_k) − z̄_p)² / K(K−1) .
//
// z̄ has no bias. A structure that draws where it cannot sum (matchings beyond 24 by 24) is a
// SumEstimator if its draws also estimate log Σ exp, with a standard error. It may be a Summer as
// well, for sizes that allow sums (Permutation::has_sums).
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/log_sum_estimate.h"
#include "trellis/structure/structure.h"

namespace trellis {

template <class S>
concept SumEstimator = Sampler<S> &&
    requires(const S& structure, std::span<const double> s, Index draws, Random& random,
             typename S::Scratch& scratch, std::vector<typename S::Output>& outputs) {
  // Writes the requested number of outputs, and estimates log Σ exp.
  {
    structure.sample_and_estimate(s, draws, random, scratch, outputs)
    } -> std::same_as<LogSumEstimate>;
};

struct PartMoments {
  std::vector<double> mean;      // z̄
  std::vector<double> variance;  // of z̄, by part
};

// z ← z̄, with `indicator` as memory of the same size.
template <Structure S>
void mean_parts(const S& structure, std::span<const typename S::Output> outputs,
                std::span<double> indicator, std::span<double> z) {
  for (double& part : z) part = 0;
  for (const auto& y : outputs) {
    structure.indicator(y, indicator);
    for (Index p = 0; p < z.size(); ++p) z[p] += indicator[p];
  }
  for (double& part : z) part /= static_cast<double>(outputs.size());
}

// Throws UsageError for fewer than two outputs, which have no variance.
template <Structure S>
PartMoments part_moments(const S& structure, std::span<const typename S::Output> outputs) {
  if (outputs.size() < 2) throw UsageError("a variance takes at least two draws");
  PartMoments moments;
  std::vector<double> indicator(structure.num_parts());
  moments.mean.resize(indicator.size());
  moments.variance.assign(indicator.size(), 0.0);
  mean_parts(structure, outputs, indicator, moments.mean);
  for (const auto& y : outputs) {
    structure.indicator(y, indicator);
    for (Index p = 0; p < indicator.size(); ++p) {
      const double deviation = indicator[p] - moments.mean[p];
      moments.variance[p] += deviation * deviation;
    }
  }
  const auto count = static_cast<double>(outputs.size());
  for (double& variance : moments.variance) variance /= count * (count - 1);
  return moments;
}

}  // namespace trellis
