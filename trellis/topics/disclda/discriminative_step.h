// The two steps that learning T alternates (Lacoste-Julien 2009, table 4.1, 3): the gradient of the
// conditional likelihood with respect to T, and Φ anew where it was.
//
//   ∂ log p(y_d | w_d) / ∂T^y_kl = (δ(y, y_d) − p(y | w_d)) Σ_i φ_wk / φ^y_wl p(z_i = l | y, w_d)
//
// by EM's identity (4.12). It is (4.17) with its inner mixture summed out: Σ_y' p(y' | w)
// E[p(y | z, w) g(z) | y', w] = p(y | w) E[g(z) | y, w], so each class needs its own chain only,
// and the noise of p(y | w) does not meet that of the other classes' draws. With the collapsed
// filter in the place of draws, or the mean field at its maximum, it is the gradient of
// Σ_d log p̂(y_d | w_d) by their values.
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

// Σ_d log p(y_d | w_d); over `gradient`, its derivatives by T, as Transformation has its shares.
// O(K L) for each class and word that differs in a document, beside inference. Throws UsageError
// where labels or sizes do not fit.
double conditional_gradient(const DiscLdaModel& model, const Documents& documents,
                            std::span<const std::uint32_t> labels,
                            const ClassInferenceOptions& options, std::uint64_t step, int threads,
                            std::span<double> gradient);

struct ConditionalFit {
  double log_likelihood = 0;  // Σ_d log p(y_d | w_d)
  double error = 0;           // share of documents whose likeliest class is another; 0 of none
};
ConditionalFit conditional_fit(const DiscLdaModel& model, const Documents& documents,
                               std::span<const std::uint32_t> labels,
                               const ClassInferenceOptions& options, std::uint64_t step,
                               int threads);

// Φ given the labelled documents and itself (steps 3b to 3d), so that topics keep their numbers. By
// sampling: z after `sweeps` sweeps of (4.22), one draw of u (4.24), and Φ's mean given u.
// Otherwise: with the expectation of u in the place of the draw. Memory: V K doubles, some ten
// times over.
KnownTopics update_topics(const DiscLdaModel& model, const Documents& documents,
                          std::span<const std::uint32_t> labels,
                          const ClassInferenceOptions& options, Index sweeps, std::uint64_t step,
                          int threads);

}  // namespace trellis::topics
