#include "trellis/tasks/topics/document_inference.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/disclda/calibration.h"
#include "trellis/topics/lda/infer.h"

namespace trellis::topics {
namespace {

// log Σ_y π_y p(w | y).
double log_evidence(const ClassInference& read, const DiscLdaModel& model) {
  std::vector<double> terms(model.log_prior);
  for (Index y = 0; y < terms.size(); ++y) terms[y] += read.log_evidence()[y];
  return log_sum_exp(terms);
}

}  // namespace

Label DocumentInference::Found::most_probable() const {
  return static_cast<Label>(std::max_element(posterior.begin(), posterior.end()) -
                            posterior.begin());
}

ClassInferenceOptions InferenceOptions::of_classes() const {
  ClassInferenceOptions options;
  options.method = method == Inference::kGibbs       ? ClassMethod::kSampling
                   : method == Inference::kMeanField ? ClassMethod::kMeanField
                                                     : ClassMethod::kCollapsed;
  options.burn_in = burn_in.value_or(options.burn_in);
  options.samples = samples.value_or(options.samples);
  options.bridge = bridge;
  options.bridge_to = bridge_to;
  options.seed = seed;
  return options;
}

DocumentInference::DocumentInference(const TopicModel& model, const InferenceOptions& options)
    : model_(model), options_(options) {
  if (model.classes() == nullptr && options.method == Inference::kMeanField) {
    throw UsageError(model.name() + " is a model of LDA: --inference must be cvb0 or gibbs");
  }
  if (options.samples && *options.samples < 1) throw UsageError("--samples must be 1 or more");
}

void DocumentInference::read(std::span<const std::uint32_t> words, Index number, Scratch& scratch,
                             Found& found) const {
  found.mixture.assign(model_.num_topics(), 0.0);
  found.predicted.reset();
  found.log_likelihood.reset();
  if (model_.classes() != nullptr) {
    read_by_classes(words, number, scratch, found);
    found.predicted = found.most_probable();
  } else {
    read_by_lda(words, number, found);
  }
  if (model_.classifier() != nullptr) {
    found.predicted = model_.classifier()->predict(found.mixture, scratch.classifier);
  }
}

void DocumentInference::read_by_lda(std::span<const std::uint32_t> words, Index number,
                                    Found& found) const {
  const KnownDocument known(model_.lda(), words);
  if (options_.method != Inference::kGibbs) {
    infer_by_cvb0(known, Cvb0InferenceOptions(), found.mixture);
    return;
  }
  GibbsInferenceOptions gibbs;
  gibbs.burn_in = options_.burn_in.value_or(gibbs.burn_in);
  gibbs.samples = options_.samples.value_or(gibbs.samples);
  infer_by_gibbs(known, gibbs, Random(options_.seed, number), found.mixture);
}

void DocumentInference::read_by_classes(std::span<const std::uint32_t> words, Index number,
                                        Scratch& scratch, Found& found) const {
  const std::span<const DiscLdaModel> models = model_.classes()->models();
  const ClassInferenceOptions options = options_.of_classes();
  const Index classes = model_.classes()->num_classes();
  scratch.mixture.resize(model_.num_topics());
  found.log_posterior.assign(classes, -kInfinity);  // over the sum of models
  std::vector<double> evidence;
  const double share = 1 / static_cast<double>(models.size());
  for (Index i = 0; i < models.size(); ++i) {
    scratch.classes.read(models[i], words, options, number, i);
    scratch.classes.representation(models[i], scratch.mixture);
    for (Index y = 0; y < classes; ++y) {
      double& sum = found.log_posterior[y];
      sum = log_add(sum, scratch.classes.log_posterior(y));
    }
    axpy(share, scratch.mixture, found.mixture);
    evidence.push_back(log_evidence(scratch.classes, models[i]));
  }
  calibrate(model_.classes()->correlation(), words.size(), found.log_posterior);
  found.posterior.resize(classes);
  softmax(found.log_posterior, found.posterior);
  if (options.method == ClassMethod::kCollapsed) {
    found.log_likelihood = log_sum_exp(evidence) - portable_log(static_cast<double>(models.size()));
  }
}

std::vector<DocumentInference::Found> infer_documents(const TopicModel& model,
                                                      const Documents& documents,
                                                      const InferenceOptions& options,
                                                      int threads) {
  const DocumentInference inference(model, options);
  threads = resolve_threads(threads);
  std::vector<DocumentInference::Found> found(documents.size());
  std::vector<DocumentInference::Scratch> scratch(static_cast<Index>(threads));
  parallel_for(documents.size(), threads, [&](Index d, int worker) {
    inference.read(documents[d], d, scratch[static_cast<Index>(worker)], found[d]);
  });
  return found;
}

std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   const InferenceOptions& options, int threads) {
  std::vector<Index> all(documents.size());
  std::iota(all.begin(), all.end(), Index{0});
  return infer_mixtures(model, documents, all, options, threads);
}

std::vector<double> infer_mixtures(const TopicModel& model, const Documents& documents,
                                   std::span<const Index> chosen, const InferenceOptions& options,
                                   int threads) {
  const DocumentInference inference(model, options);
  threads = resolve_threads(threads);
  const Index num_topics = model.num_topics();
  std::vector<double> mixtures(chosen.size() * num_topics);
  struct Own {
    DocumentInference::Scratch scratch;
    DocumentInference::Found found;
  };
  std::vector<Own> own(static_cast<Index>(threads));
  parallel_for(chosen.size(), threads, [&](Index i, int worker) {
    auto& [scratch, found] = own[static_cast<Index>(worker)];
    inference.read(documents[chosen[i]], chosen[i], scratch, found);
    std::copy(found.mixture.begin(), found.mixture.end(),
              mixtures.begin() + static_cast<std::ptrdiff_t>(i * num_topics));
  });
  return mixtures;
}

}  // namespace trellis::topics
