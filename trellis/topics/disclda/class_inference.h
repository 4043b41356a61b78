// Inference of DiscLDA for a document of unknown class: p(y | w), and the reduced representation
// E[T^y θ | w] with the class summed out (Lacoste-Julien 2009, sections 4.3.2 and 4.3.3).
//
//   p(y | w) ∝ π_y Z_y,   Z_y = p(w | y) = Σ_z p(w | z, y) p(z)
//   E[T^y θ | w]_k = Σ_y p(y | w) Σ_l T^y_kl (α + E[n_l | y, w]) / (Lα + N)                  (4.29)
//
// By sampling, with a chain for each class, and Z_y by bridges (bridge_sampling.h): from the chain
// of each class to that of a reference class, the most probable one according to the filter (in the
// thesis, the last class); or to q(z) = Π_i γ_i of the class's own collapsed variational fit, which
// is normalised, easy to draw from independently, and closer than the posterior of another class.
// Or by the variational values alone, without random numbers.
//
// The random numbers of a document are a function of (seed, document, step).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/topics/disclda/class_chain.h"
#include "trellis/topics/disclda/class_filter.h"
#include "trellis/topics/disclda/class_variational.h"
#include "trellis/topics/disclda/disclda_model.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

enum class ClassMethod : std::uint8_t { kCollapsed, kMeanField, kSampling };
enum class Bridge : std::uint8_t { kGeometric, kOptimal, kHarmonic };
constexpr auto names_of(Bridge) {
  return Names{"bridge", "geometric", "optimal", "harmonic"};
}
enum class BridgeTo : std::uint8_t { kReferenceClass, kVariational };
constexpr auto names_of(BridgeTo) {
  return Names{"end of a bridge", "class", "variational"};
}

struct ClassInferenceOptions {
  ClassMethod method = ClassMethod::kCollapsed;
  VariationalOptions variational;  // for the mean field, and for variational ends of bridges
  // For sampling:
  Index burn_in = 50;
  Index samples = 200;  // sweeps after that, each of which counts; at least 1
  Bridge bridge = Bridge::kOptimal;
  BridgeTo bridge_to = BridgeTo::kVariational;  // ignored by the harmonic mean
  std::uint64_t seed = 1;
};

// Reuses its memory in repeated calls; use one object per thread.
class ClassInference {
 public:
  // Requires that the model has passed check(). Throws UsageError if a token is not a word of the
  // model, or samples is 0.
  void read(const DiscLdaModel& model, std::span<const std::uint32_t> document,
            const ClassInferenceOptions& options, std::uint64_t item, std::uint64_t step);

  const DocumentTables& document() const { return document_; }
  // log p(w | y), up to a constant that all classes share; and p(y | w).
  std::span<const double> log_evidence() const { return log_evidence_; }
  std::span<const double> posterior() const { return posterior_; }
  double log_posterior(Index y) const { return log_posterior_[y]; }
  // E[n_wl | y, w]: the expected number of tokens of the document's word w with component l.
  std::span<const double> occupancy(Index y, Index word) const {
    const Index at = y * document_.words().size() + word;
    return std::span(occupancy_).subspan(at * num_components_, num_components_);
  }
  // E[T^y θ | w], K values.
  void representation(const DiscLdaModel& model, std::span<double> mixture) const;

 private:
  void filter(const DiscLdaModel& model);
  void fit_mean_field(const DiscLdaModel& model, const VariationalOptions& options);
  void sample(const DiscLdaModel& model, const ClassInferenceOptions& options, std::uint64_t item,
              std::uint64_t step);
  template <class Visit>
  void run_chain(const DiscLdaModel& model, const ClassInferenceOptions& options, Index y,
                 Random random, const Visit& visit);
  void bridge_to_reference(const DiscLdaModel& model, const ClassInferenceOptions& options,
                           std::uint64_t item, std::uint64_t step);
  double bridge_to_variational(const DiscLdaModel& model, const ClassInferenceOptions& options,
                               Index y, std::uint64_t item, std::uint64_t step);
  double log_likelihood(Index y, std::span<const std::uint16_t> components) const;
  double log_prior_of_components(std::span<const double> counts) const;
  std::span<double> occupancy_of(Index y) {
    const Index size = document_.words().size() * num_components_;
    return std::span(occupancy_).subspan(y * size, size);
  }

  Index num_classes_ = 0, num_components_ = 0;
  DocumentTables document_;
  ClassChain chain_;
  ClassVariational variational_;
  ClassFilter filter_;
  std::vector<double> log_evidence_, posterior_, log_posterior_, occupancy_;
  std::vector<double> log_class_phi_;  // as the document's class_phi
  std::vector<double> log_rising_;     // log α (α + 1) … (α + n − 1), by n
  double log_rising_sum_ = 0;          // the same of Lα, for all tokens
};

struct DiscLdaPredictions {
  std::vector<double> posteriors;       // documents × classes
  std::vector<double> log_posteriors;   // finite, where posteriors may be 0
  std::vector<double> representations;  // documents × topics
};
DiscLdaPredictions predict(const DiscLdaModel& model, const Documents& documents,
                           const ClassInferenceOptions& options, int threads);
// Means over models: Σ_i p(y | w, Φ_i) instead of one Φ, which predicts better according to section
// 4.5.2. Representations require topics with the same numbers in all models, as in one chain.
// Throws UsageError if there is no model, or models differ in classes or topics.
DiscLdaPredictions predict(std::span<const DiscLdaModel> models, const Documents& documents,
                           const ClassInferenceOptions& options, int threads);

}  // namespace trellis::topics
