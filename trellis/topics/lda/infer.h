// Mixtures of documents by topics that are known: E[θ_d | w_d, φ, α].
//
//   Gibbs   p(z_i = k | z_¬i, w) ∝ φ_wk (n_dk + α_k): the mean of (n_dk + α_k) / (N_d + Σα) over
//           sweeps after a burn-in.
//   CVB0    γ_ik ∝ φ_wk (Σ_{i' ≠ i} γ_i'k + α_k), iterated to a fixed point (Asuncion, Welling,
//           Smyth & Teh 2009, with φ known): no random numbers.
//
// O(K) for a token and sweep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

struct GibbsInferenceOptions {
  Index burn_in = 20;
  Index samples = 80;  // sweeps that are averaged over
  std::uint64_t seed = 1;
};

struct Cvb0InferenceOptions {
  Index max_sweeps = 200;
  double tolerance = 1e-6;  // of the largest change of a mixture's entry in a sweep
};

// theta has K entries, above 0, with sum 1. A document without a token has the mean of the prior.
void infer_by_gibbs(const KnownDocument& document, const GibbsInferenceOptions& options,
                    Random random, std::span<double> theta);
// Returns whether the tolerance was reached.
bool infer_by_cvb0(const KnownDocument& document, const Cvb0InferenceOptions& options,
                   std::span<double> theta);

// Row d is the mixture of document d: documents.size() × K.
std::vector<double> infer_by_gibbs(const LdaModel& model, const Documents& documents,
                                   const GibbsInferenceOptions& options, int threads);
std::vector<double> infer_by_cvb0(const LdaModel& model, const Documents& documents,
                                  const Cvb0InferenceOptions& options, int threads);

}  // namespace trellis::topics
