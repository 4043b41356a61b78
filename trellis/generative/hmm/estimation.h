// Hidden Markov models from counts: relative frequencies, or with a Dirichlet prior,
//
//   p_ij = (n_ij + α) / Σ_j (n_ij + α),
//
// which maximises Σ n_ij θ_ij + α Σ θ_ij. With α = 0, a distribution without a count is uniform.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis {

// The number of uses of each parameter, in the layout of θ. Unknown states and missing observations
// are not counted. Throws UsageError if a sequence does not fit the alphabet.
std::vector<double> count_parameters(const HmmAlphabet& alphabet,
                                     std::span<const HmmSequence> sequences);

// θ for these counts (≥ 0). Throws UsageError unless α ≥ 0 and finite. `unseen`, in the layout of
// θ, replaces the uniform distribution for α = 0 and no count. Counts below `negligible` times
// those of their distribution become 0.
std::vector<double> log_frequencies(const Distributions& distributions,
                                    std::span<const double> counts, double alpha,
                                    std::span<const double> unseen = {}, double negligible = 0);

// From labelled sequences: maximum likelihood (α = 0), or smoothed.
Hmm estimate_hmm(HmmAlphabet alphabet, std::span<const HmmSequence> sequences, double alpha);

}  // namespace trellis
