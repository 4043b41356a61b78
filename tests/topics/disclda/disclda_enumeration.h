// Tiny DiscLDA models and corpora, and what they say by enumeration.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/topics/disclda/disclda_model.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

// Documents that own what they point at.
struct LabelledCorpus {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> tokens, labels;
  Index num_words = 0;

  void add(const std::vector<std::uint32_t>& words, std::uint32_t label) {
    tokens.insert(tokens.end(), words.begin(), words.end());
    begin.push_back(tokens.size());
    labels.push_back(label);
  }
  Documents documents() const { return {begin, tokens, num_words}; }
};

inline std::vector<double> random_shares(Index columns, Index topics, Random& random) {
  std::vector<double> shares(columns * topics);
  for (Index c = 0; c < columns; ++c) {
    double total = 0;
    for (Index k = 0; k < topics; ++k) total += shares[c * topics + k] = 0.05 + random.uniform();
    for (Index k = 0; k < topics; ++k) shares[c * topics + k] /= total;
  }
  return shares;
}

inline KnownTopics random_topics(Index words, Index topics, Random& random) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<KnownTopics::Entry> entries;
  for (Index v = 0; v < words; ++v) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      if (random.below(3) > 0) entries.push_back({k, 5 * random.uniform()});
    }
    begin.push_back(entries.size());
  }
  return {topics, 0.3, begin, entries};
}

inline DiscLdaModel random_model(Index classes, Index topics, Index components, Index words,
                                 double alpha, std::uint64_t seed) {
  Random random(seed);
  Transformation transformation(classes, topics, components,
                                random_shares(classes * components, topics, random));
  std::vector<double> log_prior(classes);
  for (double& value : log_prior) value = std::log(0.2 + random.uniform());
  return {std::move(transformation), random_topics(words, topics, random), alpha, log_prior};
}

inline std::vector<std::uint32_t> random_document(Index length, Index words, Random& random) {
  std::vector<std::uint32_t> document(length);
  for (auto& word : document) word = static_cast<std::uint32_t>(random.below(words));
  return document;
}

// Every z: p(w, z | y), and what is asked of it.
struct EnumeratedClass {
  double evidence = 0;            // p(w | y)
  std::vector<double> occupancy;  // E[z_i = l | y, w]: tokens × components
};
inline EnumeratedClass enumerate_class(const DiscLdaModel& model,
                                       const std::vector<std::uint32_t>& document, Index y) {
  const Index components = model.transformation.num_components(), length = document.size();
  std::vector<double> phi(model.topics.num_topics()), class_phi(length * components);
  for (Index i = 0; i < length; ++i) {
    model.topics.probabilities(document[i], phi);
    const std::vector<double> shares = model.transformation.shares();
    for (Index l = 0; l < components; ++l) {
      for (Index k = 0; k < phi.size(); ++k) {
        class_phi[i * components + l] += phi[k] * shares[(y * components + l) * phi.size() + k];
      }
    }
  }
  EnumeratedClass result;
  result.occupancy.assign(length * components, 0.0);
  std::vector<Index> z(length, 0);
  for (;;) {
    double p = 1;
    std::vector<double> counts(components, 0.0);
    for (Index i = 0; i < length; ++i) {
      p *= class_phi[i * components + z[i]] * (model.alpha + counts[z[i]]) /
           (model.alpha * static_cast<double>(components) + static_cast<double>(i));
      counts[z[i]] += 1;
    }
    result.evidence += p;
    for (Index i = 0; i < length; ++i) result.occupancy[i * components + z[i]] += p;
    Index i = 0;
    while (i < length && ++z[i] == components) z[i++] = 0;
    if (i == length) break;
  }
  for (double& value : result.occupancy) value /= result.evidence;
  return result;
}

// p(y | w).
inline std::vector<double> enumerate_posterior(const DiscLdaModel& model,
                                               const std::vector<std::uint32_t>& document) {
  std::vector<double> posterior;
  double total = 0;
  for (Index y = 0; y < model.log_prior.size(); ++y) {
    posterior.push_back(std::exp(model.log_prior[y]) *
                        enumerate_class(model, document, y).evidence);
    total += posterior.back();
  }
  for (double& p : posterior) p /= total;
  return posterior;
}

}  // namespace trellis::topics
