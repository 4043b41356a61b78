// The probability of documents that were not used to make the topics: log p(w_d | φ, α), with the
// document's topics summed over by the left-to-right estimator.
//
//   p(w) = Π_n p(w_n | w_<n),
//   p(w_n | w_<n) = Σ_{z_<n} p(z_<n | w_<n) Σ_k φ_{w_n k} (n_k + α_k) / (n − 1 + Σα),
//
// each factor as a mean over R particles, in one of two ways:
//
// * Wallach, Murray, Salakhutdinov & Mimno (2009), algorithm 3: a particle's earlier topics are
//   drawn again before each word. O(R N² K) for N tokens.
// * Every topic is drawn once, and particles are weighted by their predictions of the words, and
//   resampled by these weights when few of them have most of the weight (a fully adapted particle
//   filter: Pitt & Shephard 1999; for topic models Scott & Baldridge 2013). O(R N K), and an
//   unbiased estimate of p(w). To draw once without weights, as is sometimes done, does not
//   converge to p(w) for any number of particles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

struct LeftToRightOptions {
  Index particles = 20;
  bool linear = false;  // the particle filter
  std::uint64_t seed = 1;
};

// log p̂(w | φ, α) of one document; the estimate of p (not of its logarithm) is unbiased. An empty
// document has 0.
double left_to_right(const KnownDocument& document, const LeftToRightOptions& options,
                     Random random);

struct HeldOut {
  std::vector<double> log_likelihood;  // of each document
  double total = 0;
  Index num_tokens = 0;

  double per_token() const;   // total / num_tokens; 0 where there is none
  double perplexity() const;  // exp(−per_token)
};

// Document d has the random numbers (seed, d): the result does not depend on the threads.
HeldOut held_out_likelihood(const LdaModel& model, const Documents& documents,
                            const LeftToRightOptions& options, int threads);

}  // namespace trellis::topics
