// The two alternating steps of learning T (Lacoste-Julien 2009, table 4.1, 3): the gradient of the
// conditional likelihood with respect to T, and a new Φ close to the old one.
//
//   ∂ log p(y_d | w_d) / ∂T^y_kl = (δ(y, y_d) − p(y | w_d)) Σ_i φ_wk / φ^y_wl p(z_i = l | y, w_d)
//
// by EM's identity (4.12). It is (4.17) with its inner mixture summed out: Σ_y' p(y' | w) E[p(y |
// z, w) g(z) | y', w] = p(y | w) E[g(z) | y, w], so each class needs only its own chain, and the
// noise of p(y | w) is not multiplied by that of the other classes' draws. With the collapsed
// filter instead of draws, or the mean field at its maximum, it is the exact gradient of Σ_d log
// p̂(y_d | w_d) of their values.
//
// Documents run in parallel; sums have a fixed shape, and random numbers are functions of (seed,
// document, step): same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"
#include "trellis/topics/disclda/class_inference.h"
#include "trellis/topics/disclda/disclda_model.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

// Σ_d log p(y_d | w_d); writes its derivatives by T to `gradient`, in the layout of
// Transformation's shares. O(K L) for each class and distinct word of a document, in addition to
// inference. Throws UsageError if labels or sizes do not match.
double conditional_gradient(const DiscLdaModel& model, const Documents& documents,
                            std::span<const std::uint32_t> labels,
                            const ClassInferenceOptions& options, std::uint64_t step, int threads,
                            std::span<double> gradient);

struct ConditionalFit {
  double log_likelihood = 0;  // Σ_d log p(y_d | w_d)
  double error = 0;           // share of misclassified documents; 0 without documents
};
ConditionalFit conditional_fit(const DiscLdaModel& model, const Documents& documents,
                               std::span<const std::uint32_t> labels,
                               const ClassInferenceOptions& options, std::uint64_t step,
                               int threads);

// Φ given the labelled documents and the old Φ (steps 3b to 3d), so that topics keep their numbers.
// By sampling: z after `sweeps` sweeps of (4.22), one draw of u (4.24), and Φ's mean given u.
// Otherwise: with the expectation of u instead of the draw. Memory: about ten times V K doubles.
KnownTopics update_topics(const DiscLdaModel& model, const Documents& documents,
                          std::span<const std::uint32_t> labels,
                          const ClassInferenceOptions& options, Index sweeps, std::uint64_t step,
                          int threads);

}  // namespace trellis::topics
