// Documents drawn from a DiscLDA model of the size of the thesis's tasks of two classes: 20 topics
// for each class, 20 that both share, alpha = 10 / 60, and topics of about a hundred words each.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/draw.h"
#include "trellis/topics/disclda/disclda_model.h"

namespace trellis::topics {

inline DiscLdaModel model_of_two_classes(std::uint64_t seed, Index words = 1000) {
  constexpr Index kTopics = 60, kTokens = 500;
  Random random(seed);
  std::vector<double> counts(words * kTopics);
  for (Index k = 0; k < kTopics; ++k) {
    std::vector<double> urn(words, 0.05);
    for (Index i = 0; i < kTokens; ++i) urn[draw(urn, random)] += 1;
    for (Index v = 0; v < words; ++v) counts[v * kTopics + k] = urn[v] - 0.05;
  }
  std::vector<std::uint64_t> begin = {0};
  std::vector<KnownTopics::Entry> entries;
  for (Index v = 0; v < words; ++v) {
    for (std::uint32_t k = 0; k < kTopics; ++k) {
      const double count = counts[v * kTopics + k];
      if (count > 0.5) entries.push_back({k, count});
    }
    begin.push_back(entries.size());
  }
  return {Transformation::blocks(2, 20, 20),
          KnownTopics(kTopics, 0.01, std::move(begin), std::move(entries)),
          10.0 / 60,
          {-0.7, -0.7}};
}

// θ is integrated out: component l of a token has weight α + n_l.
inline std::vector<std::uint32_t> draw_document(const DiscLdaModel& model, Index y, Index length,
                                                Random& random) {
  const Index words = model.topics.num_words(), topics = model.topics.num_topics();
  std::vector<double> phi(words * topics);
  for (Index v = 0; v < words; ++v) {
    model.topics.probabilities(v, std::span(phi).subspan(v * topics, topics));
  }
  std::vector<double> urn(model.transformation.num_components(), model.alpha), weights(words);
  std::vector<std::uint32_t> document;
  for (Index i = 0; i < length; ++i) {
    const Index l = draw(urn, random);
    urn[l] += 1;
    const Index k = model.transformation.column(y, l).front().topic;
    for (Index v = 0; v < words; ++v) weights[v] = phi[v * topics + k];
    document.push_back(static_cast<std::uint32_t>(draw(weights, random)));
  }
  return document;
}

}  // namespace trellis::topics
