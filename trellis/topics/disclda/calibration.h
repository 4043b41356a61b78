// Calibrated probabilities of classes.
//
// DiscLDA treats the N tokens of a document as independent given θ. Words come in bursts, so that
// its log-odds are too large, more so in longer documents. Observations with a correlation ρ
// between any two count as N / (1 + ρ (N − 1)) independent ones (the design effect: Kish 1965, ch.
// 5), so that
//
//   p_ρ(y | w) ∝ p(y | w)^{1/T},   T = 1 + ρ (N − 1),   0 ≤ ρ ≤ 1:
//
// temperature scaling (Guo, Pleiss, Sun & Weinberger 2017) with a temperature that depends on the
// length. The order of the classes does not change.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis::topics {

// Documents that the model was not learned from.
struct CalibrationDocuments {
  Index classes = 0;
  std::span<const double> log_posterior;  // [d · classes + y] = log p(y | w_d), finite
  std::span<const Index> tokens;          // N_d
  std::span<const std::uint32_t> labels;
};

// Σ_d log p_ρ(y_d | w_d).
double log_likelihood(const CalibrationDocuments& documents, double correlation);
// The ρ that maximises it: the best of a grid, then by golden sections; 0 where that is as good.
// Throws UsageError where there is no document, or sizes or labels do not fit.
double fit_correlation(const CalibrationDocuments& documents);

// Over log p(y | w) of one document, up to a constant: log p_ρ(y | w).
void calibrate(double correlation, Index tokens, std::span<double> log_posterior);

}  // namespace trellis::topics
