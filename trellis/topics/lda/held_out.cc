#include "trellis/topics/lda/held_out.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

// Topics z_1 … z_{n−1}, and how many of each there are.
class Particle {
 public:
  explicit Particle(const KnownDocument& document)
      : document_(&document),
        counted_(document.model().alpha().begin(), document.model().alpha().end()),
        topics_(document.size()) {}

  // weights_k = φ_{w_n k} (n_k + α_k); returns their sum.
  double weigh(Index n, std::span<double> weights) const {
    const std::span<const double> phi = document_->probabilities(n);
    for (Index k = 0; k < weights.size(); ++k) weights[k] = phi[k] * counted_[k];
    return sum(weights);
  }

  // Draws z_n given all that are counted; returns the sum of the weights.
  double draw_topic(Index n, std::span<double> weights, Random& random) {
    const double total = weigh(n, weights);
    topics_[n] = draw(weights, total, random);
    counted_[topics_[n]] += 1;
    return total;
  }

  void forget(Index n) { counted_[topics_[n]] -= 1; }

 private:
  const KnownDocument* document_;
  std::vector<double> counted_;  // n_k + α_k
  std::vector<Index> topics_;
};

// Wallach et al. (2009), algorithm 3; p_n times n − 1 + Σα. Particles meet in the means alone, and
// are run one after another.
void redraw_left_to_right(const KnownDocument& document, Index particles, Random& random,
                          std::span<double> p) {
  std::vector<double> weights(document.model().num_topics());
  for (Index r = 0; r < particles; ++r) {
    Particle particle(document);
    for (Index n = 0; n < document.size(); ++n) {
      for (Index i = 0; i < n; ++i) {
        particle.forget(i);
        particle.draw_topic(i, weights, random);
      }
      p[n] += particle.draw_topic(n, weights, random) / static_cast<double>(particles);
    }
  }
}

// Each particle is replaced by one drawn by weight, with one random number for all: the r-th falls
// on the weights' cumulative sum at (r + u) / R.
void exchange(std::vector<Particle>& particles, std::span<double> share, Random& random) {
  const auto count = static_cast<double>(particles.size());
  const std::vector<Particle> before = particles;
  const double u = random.uniform();
  double cumulative = share[0];
  Index from = 0;
  for (Index r = 0; r < particles.size(); ++r) {
    while (from + 1 < before.size() && (static_cast<double>(r) + u) / count >= cumulative) {
      cumulative += share[++from];
    }
    particles[r] = before[from];
  }
  std::fill(share.begin(), share.end(), 1 / count);
}

void filter_left_to_right(const KnownDocument& document, Index num_particles, Random& random,
                          std::span<double> p) {
  std::vector<Particle> particles(num_particles, Particle(document));
  std::vector<double> share(num_particles, 1 / static_cast<double>(num_particles));
  std::vector<double> weights(document.model().num_topics());
  for (Index n = 0; n < document.size(); ++n) {
    for (Index r = 0; r < num_particles; ++r) share[r] *= particles[r].weigh(n, weights);
    p[n] = sum(share);
    scale(1 / p[n], share);
    if (squared_norm(share) * static_cast<double>(num_particles) > 2) {
      exchange(particles, share, random);  // fewer than half of them count
    }
    for (Particle& particle : particles) particle.draw_topic(n, weights, random);
  }
}

}  // namespace

double left_to_right(const KnownDocument& document, const LeftToRightOptions& options,
                     Random random) {
  if (options.particles == 0) throw UsageError("the left-to-right estimate needs a particle");
  std::vector<double> p(document.size(), 0.0);
  if (options.linear) {
    filter_left_to_right(document, options.particles, random, p);
  } else {
    redraw_left_to_right(document, options.particles, random, p);
  }
  double value = 0;
  for (Index n = 0; n < document.size(); ++n) {
    value += portable_log(p[n] / (static_cast<double>(n) + document.model().alpha_sum()));
  }
  return value;
}

double HeldOut::per_token() const {
  return num_tokens == 0 ? 0 : total / static_cast<double>(num_tokens);
}

double HeldOut::perplexity() const {
  return portable_exp(-per_token());
}

HeldOut held_out_likelihood(const LdaModel& model, const Documents& documents,
                            const LeftToRightOptions& options, int threads) {
  HeldOut result;
  result.log_likelihood.resize(documents.size());
  parallel_for(documents.size(), resolve_threads(threads), [&](Index d, int) {
    result.log_likelihood[d] =
        left_to_right(KnownDocument(model, documents[d]), options, Random(options.seed, d));
  });
  result.total = sum(result.log_likelihood);
  for (Index d = 0; d < documents.size(); ++d) result.num_tokens += documents[d].size();
  return result;
}

}  // namespace trellis::topics
