// Topics one by one: the words of each topic, and the share of its prior for all other words.
//
//   φ_wk = (n_wk + β_w) r_k,  r_k = 1 / (n_k + Σβ);   for words that are not in the topic, β_w r_k
//
// Words with a prior for each topic (lda/word_prior.h) are in every topic. If the vocabulary has
// parts, all words are, and parts are weighted by their shares of all tokens. Loops over topics, or
// over pairs of topics, cost what their words cost, not the vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

struct TopicRows {
  std::vector<std::uint64_t> begin = {0};  // one more than there are topics
  std::vector<std::uint32_t> words;        // of a topic: those with n_wk > 0 or a row, rising
  std::vector<double> probabilities;       // φ_wk of these
  std::vector<double> rest;                // r_k, by topic
  std::vector<double> beta;                // β_w, by word

  Index size() const { return begin.size() - 1; }
  Index num_words() const { return beta.size(); }
  std::span<const std::uint32_t> words_of(Index k) const {
    return std::span(words).subspan(begin[k], begin[k + 1] - begin[k]);
  }
  std::span<const double> probabilities_of(Index k) const {
    return std::span(probabilities).subspan(begin[k], begin[k + 1] - begin[k]);
  }
};

// Row i is that of topics[i], which are distinct.
TopicRows rows_of_topics(const LdaModel& model, std::span<const Index> topics);

// The `most` most probable words of each topic; the other words get the rest by their priors, so
// that a row is still a distribution.
TopicRows foremost_words(const TopicRows& topics, Index most);

}  // namespace trellis::topics
