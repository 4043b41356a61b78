// Priors of a topic model made likely, by Minka's fixed point for the Dirichlet-multinomial (Minka
// 2000, eq. 55; Wallach 2008, sec. 2.3), which within its limits never lowers the likelihood of the
// counts:
//
//   α_k ← α_k  Σ_d ψ(n_dk + α_k) − ψ(α_k)  /  Σ_d ψ(N_d + Σα) − ψ(Σα)
//
// and the same for β over the counts of the topics' words: one value for all words, or one for each
// word. Documents with equal counts are taken together, so a step costs no more than the number of
// different counts. Words that have a prior for each topic (word_prior.h) are left as they are: β
// of the others is made likely beside them, Σβ being β̄_k.
#pragma once

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

struct FixedPointOptions {
  Index max_steps = 20;
  double tolerance = 1e-4;  // of the largest relative change in a step
};

// Each sets the chain's prior, whose values stay from 1e-5, so that a topic without a token keeps a
// chance, to 1e4, and returns the number of steps taken.
Index optimise_alpha(LdaChain& chain, const FixedPointOptions& options = {});
Index optimise_symmetric_beta(LdaChain& chain, const FixedPointOptions& options = {});
Index optimise_beta(LdaChain& chain, const FixedPointOptions& options = {});

}  // namespace trellis::topics
