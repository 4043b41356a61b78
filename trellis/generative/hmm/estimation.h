// Hidden Markov models from counts: relative frequencies, or with a Dirichlet prior,
//
//   p_ij = (n_ij + α) / Σ_j (n_ij + α),
//
// which is the maximum of Σ n_ij θ_ij + α Σ θ_ij. With α = 0 a distribution without a count is
// uniform, for nothing is known of it.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis {

// The number of times that each parameter is used, laid out as θ. Where a state is not known, what
// it would take part in is not counted; nor are missing observations. Throws UsageError where a
// sequence does not fit the alphabet.
std::vector<double> count_parameters(const HmmAlphabet& alphabet,
                                     std::span<const HmmSequence> sequences);

// θ of these counts (≥ 0). Throws UsageError unless α ≥ 0 and finite. `unseen`, laid out as θ, is
// what a distribution without a count becomes with α = 0, in place of uniform. Counts below
// `negligible` times those of their distribution are taken for 0.
std::vector<double> log_frequencies(const Distributions& distributions,
                                    std::span<const double> counts, double alpha,
                                    std::span<const double> unseen = {}, double negligible = 0);

// From labelled sequences: maximum likelihood (α = 0), or smoothed.
Hmm estimate_hmm(HmmAlphabet alphabet, std::span<const HmmSequence> sequences, double alpha);

}  // namespace trellis
