#include "trellis/topics/disclda/class_inference.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/disclda/bridge_sampling.h"

namespace trellis::topics {
namespace {

// Chains and proposals of one document and step have streams of their own.
Random chain_stream(const ClassInferenceOptions& options, std::uint64_t item, std::uint64_t step) {
  return Random(options.seed, item, 2 * step);
}
Random proposal_stream(const ClassInferenceOptions& options, std::uint64_t item,
                       std::uint64_t step) {
  return Random(options.seed, item, 2 * step + 1);
}

double log_ratio(const ClassInferenceOptions& options, std::span<const double> of_zero,
                 std::span<const double> of_one) {
  return options.bridge == Bridge::kGeometric ? geometric_bridge(of_zero, of_one)
                                              : optimal_bridge(of_zero, of_one);
}

}  // namespace

void ClassInference::read(const DiscLdaModel& model, std::span<const std::uint32_t> document,
                          const ClassInferenceOptions& options, std::uint64_t item,
                          std::uint64_t step) {
  if (options.samples < 1) throw UsageError("an estimate requires at least one sample");
  num_classes_ = model.transformation.num_classes();
  num_components_ = model.transformation.num_components();
  document_.read(model, document);
  log_evidence_.assign(num_classes_, 0.0);
  occupancy_.assign(num_classes_ * document_.words().size() * num_components_, 0.0);
  switch (options.method) {
    case ClassMethod::kMeanField:
      fit_mean_field(model, options.variational);
      break;
    case ClassMethod::kCollapsed:
      filter(model);
      break;
    case ClassMethod::kSampling:
      if (document_.num_tokens() > 0) sample(model, options, item, step);
      break;
  }
  log_posterior_ = log_evidence_;
  axpy(1, model.log_prior, log_posterior_);
  posterior_.resize(num_classes_);
  const double log_total = softmax(log_posterior_, posterior_);
  for (double& value : log_posterior_) value -= log_total;
}

void ClassInference::representation(const DiscLdaModel& model, std::span<double> mixture) const {
  std::vector<double> theta(num_components_), transformed(mixture.size());
  std::fill(mixture.begin(), mixture.end(), 0.0);
  for (Index y = 0; y < num_classes_; ++y) {
    std::fill(theta.begin(), theta.end(), model.alpha);
    for (Index w = 0; w < document_.words().size(); ++w) axpy(1, occupancy(y, w), theta);
    // The filter's occupancies may be below 0; shares are not.
    for (double& share : theta) share = std::max(share, 0.0);
    model.transformation.apply(y, theta, transformed);
    axpy(posterior_[y] / sum(theta), transformed, mixture);
  }
}

void ClassInference::filter(const DiscLdaModel& model) {
  for (Index y = 0; y < num_classes_; ++y) {
    log_evidence_[y] = filter_.run(document_, y, model.alpha, num_components_, occupancy_of(y));
  }
}

void ClassInference::fit_mean_field(const DiscLdaModel& model, const VariationalOptions& options) {
  for (Index y = 0; y < num_classes_; ++y) {
    log_evidence_[y] =
        variational_.fit_mean_field(document_, y, model.alpha, num_components_, options);
    const auto occupancy = occupancy_of(y);
    for (Index w = 0; w < document_.words().size(); ++w) {
      axpy(document_.times()[w], variational_.gamma(w),
           occupancy.subspan(w * num_components_, num_components_));
    }
  }
}

void ClassInference::sample(const DiscLdaModel& model, const ClassInferenceOptions& options,
                            std::uint64_t item, std::uint64_t step) {
  log_class_phi_.resize(occupancy_.size());
  for (Index y = 0; y < num_classes_; ++y) {
    const auto phi = document_.class_phi(y);
    for (Index i = 0; i < phi.size(); ++i) {
      log_class_phi_[y * phi.size() + i] = portable_log(phi[i]);
    }
  }
  log_rising_.assign(document_.num_tokens() + 1, 0.0);
  log_rising_sum_ = 0;
  const double alpha_sum = model.alpha * static_cast<double>(num_components_);
  for (Index n = 0; n < document_.num_tokens(); ++n) {
    log_rising_[n + 1] = log_rising_[n] + portable_log(model.alpha + static_cast<double>(n));
    log_rising_sum_ += portable_log(alpha_sum + static_cast<double>(n));
  }
  if (options.bridge == Bridge::kHarmonic) {
    for (Index y = 0; y < num_classes_; ++y) {
      std::vector<double> likelihoods;
      run_chain(model, options, y, chain_stream(options, item * num_classes_ + y, step),
                [&] { likelihoods.push_back(log_likelihood(y, chain_.components())); });
      log_evidence_[y] = harmonic_mean(likelihoods);
    }
  } else if (options.bridge_to == BridgeTo::kReferenceClass) {
    bridge_to_reference(model, options, item, step);
  } else {
    for (Index y = 0; y < num_classes_; ++y) {
      log_evidence_[y] = bridge_to_variational(model, options, y, item, step);
    }
  }
}

// Calls visit() after each sweep that counts, and leaves the mean occupancy.
template <class Visit>
void ClassInference::run_chain(const DiscLdaModel& model, const ClassInferenceOptions& options,
                               Index y, Random random, const Visit& visit) {
  const auto occupancy = occupancy_of(y);
  std::fill(occupancy.begin(), occupancy.end(), 0.0);
  chain_.start(document_, y, model.alpha, num_components_, random);
  for (Index sweep = 0; sweep < options.burn_in; ++sweep) chain_.sweep(random);
  for (Index sweep = 0; sweep < options.samples; ++sweep) {
    chain_.sweep(random, occupancy);
    visit();
  }
  scale(1 / static_cast<double>(options.samples), occupancy);
}

// The reference is the most probable class by the filter, because the ratios must separate it from
// its competitors. The filter's value replaces its evidence, a constant for all.
void ClassInference::bridge_to_reference(const DiscLdaModel& model,
                                         const ClassInferenceOptions& options, std::uint64_t item,
                                         std::uint64_t step) {
  filter(model);
  const auto reference = static_cast<Index>(
      std::max_element(log_evidence_.begin(), log_evidence_.end()) - log_evidence_.begin());
  std::vector<std::vector<double>> of_reference(num_classes_), of_class(num_classes_);
  for (Index y = 0; y < num_classes_; ++y) {
    const Random random = chain_stream(options, item * num_classes_ + y, step);
    if (y == reference) {
      run_chain(model, options, y, random, [&] {
        const double own = log_likelihood(reference, chain_.components());
        for (Index other = 0; other < num_classes_; ++other) {
          if (other == reference) continue;
          of_reference[other].push_back(log_likelihood(other, chain_.components()) - own);
        }
      });
    } else {
      run_chain(model, options, y, random, [&] {
        of_class[y].push_back(log_likelihood(y, chain_.components()) -
                              log_likelihood(reference, chain_.components()));
      });
    }
  }
  for (Index y = 0; y < num_classes_; ++y) {
    if (y == reference) continue;
    log_evidence_[y] = log_evidence_[reference] + log_ratio(options, of_reference[y], of_class[y]);
  }
}

double ClassInference::bridge_to_variational(const DiscLdaModel& model,
                                             const ClassInferenceOptions& options, Index y,
                                             std::uint64_t item, std::uint64_t step) {
  variational_.fit_collapsed(document_, y, model.alpha, num_components_, options.variational);
  const Index size = num_components_;
  std::vector<double> log_gamma(document_.words().size() * size);
  for (Index w = 0; w < document_.words().size(); ++w) {
    const auto gamma = variational_.gamma(w);
    for (Index l = 0; l < size; ++l) log_gamma[w * size + l] = portable_log(gamma[l]);
  }
  // log p(w, z | y) − log q(z).
  const auto excess = [&](std::span<const std::uint16_t> components,
                          std::span<const double> counts) {
    double proposal = 0;
    for (Index i = 0; i < components.size(); ++i) {
      proposal += log_gamma[document_.tokens()[i] * size + components[i]];
    }
    return log_likelihood(y, components) + log_prior_of_components(counts) - proposal;
  };
  const std::uint64_t stream = item * num_classes_ + y;
  std::vector<double> of_proposal, of_chain;
  run_chain(model, options, y, chain_stream(options, stream, step),
            [&] { of_chain.push_back(excess(chain_.components(), chain_.counts())); });
  Random random = proposal_stream(options, stream, step);
  std::vector<std::uint16_t> components(document_.num_tokens());
  std::vector<double> counts(size);
  for (Index sample = 0; sample < options.samples; ++sample) {
    std::fill(counts.begin(), counts.end(), 0.0);
    for (Index i = 0; i < components.size(); ++i) {
      const Index l = draw(variational_.gamma(document_.tokens()[i]), 1, random);
      components[i] = static_cast<std::uint16_t>(l);
      counts[l] += 1;
    }
    of_proposal.push_back(excess(components, counts));
  }
  return log_ratio(options, of_proposal, of_chain);
}

double ClassInference::log_likelihood(Index y, std::span<const std::uint16_t> components) const {
  const double* log_phi = &log_class_phi_[y * document_.words().size() * num_components_];
  double value = 0;
  for (Index i = 0; i < components.size(); ++i) {
    value += log_phi[document_.tokens()[i] * num_components_ + components[i]];
  }
  return value;
}

// log p(z) (4.18).
double ClassInference::log_prior_of_components(std::span<const double> counts) const {
  double value = -log_rising_sum_;
  for (const double count : counts) value += log_rising_[static_cast<Index>(count)];
  return value;
}

DiscLdaPredictions predict(const DiscLdaModel& model, const Documents& documents,
                           const ClassInferenceOptions& options, int threads) {
  return predict(std::span(&model, 1), documents, options, threads);
}

DiscLdaPredictions predict(std::span<const DiscLdaModel> models, const Documents& documents,
                           const ClassInferenceOptions& options, int threads) {
  if (models.empty()) throw UsageError("a prediction requires a model");
  const Index classes = models[0].transformation.num_classes();
  const Index topics = models[0].topics.num_topics();
  for (const DiscLdaModel& model : models) {
    model.check();
    if (model.transformation.num_classes() != classes || model.topics.num_topics() != topics) {
      throw UsageError("models of different classes or topics have no mean");
    }
  }
  threads = resolve_threads(threads);
  DiscLdaPredictions result;
  result.posteriors.assign(documents.size() * classes, 0.0);
  result.log_posteriors.assign(documents.size() * classes, -kInfinity);
  result.representations.assign(documents.size() * topics, 0.0);
  const double share = 1 / static_cast<double>(models.size()), log_share = portable_log(share);
  std::vector<ClassInference> inference(static_cast<Index>(threads));
  parallel_for(documents.size(), threads, [&](Index d, int worker) {
    ClassInference& own = inference[static_cast<Index>(worker)];
    std::vector<double> mixture(topics);
    for (Index i = 0; i < models.size(); ++i) {
      own.read(models[i], documents[d], options, d, i);
      own.representation(models[i], mixture);
      axpy(share, own.posterior(), std::span(result.posteriors).subspan(d * classes, classes));
      for (Index y = 0; y < classes; ++y) {
        double& sum = result.log_posteriors[d * classes + y];
        sum = log_add(sum, own.log_posterior(y) + log_share);
      }
      axpy(share, mixture, std::span(result.representations).subspan(d * topics, topics));
    }
  });
  return result;
}

}  // namespace trellis::topics
