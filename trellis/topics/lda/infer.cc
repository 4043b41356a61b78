#include "trellis/topics/lda/infer.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

template <class Infer>
std::vector<double> infer_all(const LdaModel& model, const Documents& documents, int threads,
                              const Infer& infer) {
  std::vector<double> mixtures(documents.size() * model.num_topics());
  parallel_for(documents.size(), resolve_threads(threads), [&](Index d, int) {
    infer(d, KnownDocument(model, documents[d]),
          std::span(mixtures).subspan(d * model.num_topics(), model.num_topics()));
  });
  return mixtures;
}

}  // namespace

void infer_by_gibbs(const KnownDocument& document, const GibbsInferenceOptions& options,
                    Random random, std::span<double> theta) {
  if (options.samples == 0) throw UsageError("inference by sampling needs a sample");
  const LdaModel& model = document.model();
  const Index topics = model.num_topics();
  std::vector<double> counted(model.alpha().begin(), model.alpha().end()), weights(topics);
  std::vector<Index> z(document.size());
  std::fill(theta.begin(), theta.end(), 0.0);
  for (Index sweep = 0; sweep <= options.burn_in + options.samples; ++sweep) {
    for (Index i = 0; i < document.size(); ++i) {
      if (sweep > 0) counted[z[i]] -= 1;
      const std::span<const double> phi = document.probabilities(i);
      for (Index k = 0; k < topics; ++k) weights[k] = phi[k] * counted[k];
      z[i] = draw(weights, sum(weights), random);
      counted[z[i]] += 1;
    }
    if (sweep > options.burn_in) axpy(1, counted, theta);
  }
  scale(1 / sum(theta), theta);
}

bool infer_by_cvb0(const KnownDocument& document, const Cvb0InferenceOptions& options,
                   std::span<double> theta) {
  const LdaModel& model = document.model();
  const Index topics = model.num_topics();
  const double total = static_cast<double>(document.size()) + model.alpha_sum();
  std::vector<double> counted(model.alpha().begin(), model.alpha().end());
  std::vector<double> gamma(document.size() * topics, 0.0);
  bool converged = document.size() == 0;
  for (Index sweep = 0; sweep < options.max_sweeps && !converged; ++sweep) {
    const std::vector<double> before = counted;
    for (Index i = 0; i < document.size(); ++i) {
      const std::span<const double> phi = document.probabilities(i);
      const std::span<double> own = std::span(gamma).subspan(i * topics, topics);
      for (Index k = 0; k < topics; ++k) {
        counted[k] = std::max(counted[k] - own[k], model.alpha()[k]);
        own[k] = phi[k] * counted[k];
      }
      scale(1 / sum(own), own);
      axpy(1, own, counted);
    }
    double change = 0;
    for (Index k = 0; k < topics; ++k) change = std::max(change, std::abs(counted[k] - before[k]));
    converged = sweep > 0 && change <= options.tolerance * total;
  }
  for (Index k = 0; k < topics; ++k) theta[k] = counted[k] / total;
  return converged;
}

std::vector<double> infer_by_gibbs(const LdaModel& model, const Documents& documents,
                                   const GibbsInferenceOptions& options, int threads) {
  return infer_all(model, documents, threads,
                   [&](Index d, const KnownDocument& document, std::span<double> theta) {
                     infer_by_gibbs(document, options, Random(options.seed, d), theta);
                   });
}

std::vector<double> infer_by_cvb0(const LdaModel& model, const Documents& documents,
                                  const Cvb0InferenceOptions& options, int threads) {
  return infer_all(model, documents, threads,
                   [&](Index, const KnownDocument& document, std::span<double> theta) {
                     infer_by_cvb0(document, options, theta);
                   });
}

}  // namespace trellis::topics
