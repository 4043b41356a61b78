// Maximum-likelihood priors of a topic model, by Minka's fixed point for the Dirichlet-multinomial
// (Minka 2000, eq. 55; Wallach 2008, sec. 2.3), which within its limits never decreases the
// likelihood of the counts:
//
//   α_k ← α_k  Σ_d ψ(n_dk + α_k) − ψ(α_k)  /  Σ_d ψ(N_d + Σα) − ψ(Σα)
//
// and the same for β over the counts of the topics' words: one value for all words, or one for each
// word. Documents with equal counts are merged, so a step costs the number of different counts.
// Words with a prior for each topic (word_prior.h) do not change: the β of the other words is
// optimised given these, where Σβ is β̄_k.
#pragma once

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

struct FixedPointOptions {
  Index max_steps = 20;
  double tolerance = 1e-4;  // of the largest relative change in a step
};

// Each sets the chain's prior, with values from 1e-5 (so that a topic without a token keeps a
// positive probability) to 1e4, and returns the number of steps.
Index optimise_alpha(LdaChain& chain, const FixedPointOptions& options = {});
Index optimise_symmetric_beta(LdaChain& chain, const FixedPointOptions& options = {});
Index optimise_beta(LdaChain& chain, const FixedPointOptions& options = {});

}  // namespace trellis::topics
