#include "trellis/topics/disclda/discriminative_step.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

void check_labelled(const DiscLdaModel& model, const Documents& documents,
                    std::span<const std::uint32_t> labels) {
  model.check();
  if (labels.size() != documents.size()) throw UsageError("expected a label for each document");
  for (const std::uint32_t label : labels) {
    if (label >= model.transformation.num_classes()) {
      throw UsageError("label " + std::to_string(label) + " is not a class of the model");
    }
  }
}

// Adds the derivatives of log p(y | w) of the document that was read.
void add_gradient(const ClassInference& inference, Index label, Index classes, Index components,
                  std::span<double> gradient) {
  const DocumentTables& document = inference.document();
  for (Index y = 0; y < classes; ++y) {
    const double surprise = (y == label ? 1.0 : 0.0) - inference.posterior()[y];
    if (surprise == 0) continue;
    for (Index w = 0; w < document.words().size(); ++w) {
      const auto phi = document.phi(w);
      const auto class_phi = document.class_phi(y, w);
      const auto occupancy = inference.occupancy(y, w);
      for (Index l = 0; l < components; ++l) {
        axpy(surprise * occupancy[l] / class_phi[l], phi,
             gradient.subspan((y * components + l) * phi.size(), phi.size()));
      }
    }
  }
}

KnownTopics topics_of_counts(const DiscLdaModel& model, std::span<const double> counts) {
  const Index topics = model.topics.num_topics();
  const double least = 1e-9 * model.topics.beta();  // what β swallows
  std::vector<std::uint64_t> begin = {0};
  std::vector<KnownTopics::Entry> entries;
  for (Index v = 0; v < model.topics.num_words(); ++v) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      const double count = counts[v * topics + k];
      if (count > least) entries.push_back({k, count});
    }
    begin.push_back(entries.size());
  }
  return {topics, model.topics.beta(), std::move(begin), std::move(entries)};
}

// One draw of u for each token of a document, given its class.
void draw_topics(const DiscLdaModel& model, const DocumentTables& document, Index y, Index sweeps,
                 Random random, ClassChain& chain, std::span<double> counts) {
  chain.start(document, y, model.alpha, model.transformation.num_components(), random);
  for (Index sweep = 0; sweep < sweeps; ++sweep) chain.sweep(random);
  const Index topics = model.topics.num_topics();
  std::vector<double> weights;
  for (Index i = 0; i < document.num_tokens(); ++i) {
    const Index word = document.tokens()[i];
    const auto column = model.transformation.column(y, chain.components()[i]);
    weights.clear();
    for (const auto& entry : column)
      weights.push_back(entry.share * document.phi(word)[entry.topic]);
    const Index k = column[draw(weights, random)].topic;
    counts[document.words()[word] * topics + k] += 1;
  }
}

// The expectation of the same, by the deterministic methods.
void expect_topics(const DiscLdaModel& model, const DocumentTables& document, Index y,
                   std::span<const double> occupancy, std::span<double> counts) {
  const Index topics = model.topics.num_topics(), size = model.transformation.num_components();
  std::vector<double> weights(size);
  for (Index word = 0; word < document.words().size(); ++word) {
    const auto phi = document.phi(word);
    const auto class_phi = document.class_phi(y, word);
    double* out = &counts[document.words()[word] * topics];
    // The filter's occupancies may be below 0; counts may not, and each token counts once.
    for (Index l = 0; l < size; ++l) weights[l] = std::max(0.0, occupancy[word * size + l]);
    scale(document.times()[word] / sum(weights), weights);
    for (Index l = 0; l < size; ++l) {
      const double weight = weights[l] / class_phi[l];
      if (weight == 0) continue;
      for (const auto& entry : model.transformation.column(y, l)) {
        out[entry.topic] += weight * entry.share * phi[entry.topic];
      }
    }
  }
}

}  // namespace

double conditional_gradient(const DiscLdaModel& model, const Documents& documents,
                            std::span<const std::uint32_t> labels,
                            const ClassInferenceOptions& options, std::uint64_t step, int threads,
                            std::span<double> gradient) {
  check_labelled(model, documents, labels);
  if (gradient.size() != model.transformation.num_shares()) {
    throw UsageError("a gradient of another size than the transformation's");
  }
  threads = resolve_threads(threads);
  const Index classes = model.transformation.num_classes();
  const Index components = model.transformation.num_components();
  std::vector<ClassInference> inference(static_cast<Index>(threads));
  return parallel_sum(documents.size(), threads, gradient,
                      [&](Index begin, Index end, int worker, std::span<double> partial) {
                        ClassInference& own = inference[static_cast<Index>(worker)];
                        double value = 0;
                        for (Index d = begin; d < end; ++d) {
                          own.read(model, documents[d], options, d, step);
                          value += own.log_posterior(labels[d]);
                          add_gradient(own, labels[d], classes, components, partial);
                        }
                        return value;
                      });
}

ConditionalFit conditional_fit(const DiscLdaModel& model, const Documents& documents,
                               std::span<const std::uint32_t> labels,
                               const ClassInferenceOptions& options, std::uint64_t step,
                               int threads) {
  check_labelled(model, documents, labels);
  threads = resolve_threads(threads);
  std::vector<ClassInference> inference(static_cast<Index>(threads));
  double wrong[1];
  ConditionalFit fit;
  fit.log_likelihood =
      parallel_sum(documents.size(), threads, wrong,
                   [&](Index begin, Index end, int worker, std::span<double> partial) {
                     ClassInference& own = inference[static_cast<Index>(worker)];
                     double value = 0;
                     for (Index d = begin; d < end; ++d) {
                       own.read(model, documents[d], options, d, step);
                       value += own.log_posterior(labels[d]);
                       const auto p = own.posterior();
                       const auto best = std::max_element(p.begin(), p.end()) - p.begin();
                       if (static_cast<Index>(best) != labels[d]) partial[0] += 1;
                     }
                     return value;
                   });
  if (documents.size() > 0) fit.error = wrong[0] / static_cast<double>(documents.size());
  return fit;
}

KnownTopics update_topics(const DiscLdaModel& model, const Documents& documents,
                          std::span<const std::uint32_t> labels,
                          const ClassInferenceOptions& options, Index sweeps, std::uint64_t step,
                          int threads) {
  check_labelled(model, documents, labels);
  threads = resolve_threads(threads);
  struct Scratch {
    DocumentTables document;
    ClassChain chain;
    ClassFilter filter;
    ClassVariational variational;
    std::vector<double> occupancy;
  };
  std::vector<Scratch> scratch(static_cast<Index>(threads));
  const Index size = model.transformation.num_components();
  std::vector<double> counts(model.topics.num_words() * model.topics.num_topics());
  const auto visit = [&](Index d, Scratch& own, std::span<double> partial) {
    const Index y = labels[d];
    own.document.read(model, documents[d]);
    own.occupancy.assign(own.document.words().size() * size, 0.0);
    switch (options.method) {
      case ClassMethod::kSampling:
        draw_topics(model, own.document, y, sweeps, Random(options.seed, d, 2 * step), own.chain,
                    partial);
        return;
      case ClassMethod::kCollapsed:
        own.filter.run(own.document, y, model.alpha, size, own.occupancy);
        break;
      case ClassMethod::kMeanField:
        own.variational.fit_mean_field(own.document, y, model.alpha, size, options.variational);
        for (Index w = 0; w < own.document.words().size(); ++w) {
          axpy(own.document.times()[w], own.variational.gamma(w),
               std::span(own.occupancy).subspan(w * size, size));
        }
        break;
    }
    expect_topics(model, own.document, y, own.occupancy, partial);
  };
  parallel_sum(documents.size(), threads, counts,
               [&](Index begin, Index end, int worker, std::span<double> partial) {
                 for (Index d = begin; d < end; ++d) {
                   visit(d, scratch[static_cast<Index>(worker)], partial);
                 }
                 return 0.0;
               });
  return topics_of_counts(model, counts);
}

}  // namespace trellis::topics
