// All assignments of a tiny corpus, with their probabilities by the definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tests/topics/tiny_corpus.h"
#include "trellis/base/random.h"
#include "trellis/topics/lda/word_prior.h"

namespace trellis::topics {

// A corpus of random words with a few that are frequent.
inline TinyCorpus random_corpus(Index documents, Index most, Index words, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::uint32_t>> texts(documents);
  for (auto& text : texts) {
    const Index length = random.below(most + 1);
    const Index topic = random.below(4);
    for (Index i = 0; i < length; ++i) {
      const Index reach = 1 + random.below(words);  // low numbers are frequent
      const Index own = random.below(3) == 0 ? topic * words / 4 : 0;
      text.push_back(static_cast<std::uint32_t>((own + random.below(reach)) % words));
    }
  }
  return tiny_corpus(texts, words);
}

// log p(w, z | α, β), one Pólya urn after another.
inline double log_joint_by_urns(const TinyCorpus& corpus, std::span<const Index> z,
                                std::span<const double> alpha, const WordPrior& beta) {
  const Index topics = alpha.size(), words = beta.num_words();
  double alpha_sum = 0, value = 0;
  for (const double a : alpha) alpha_sum += a;
  // By part of the vocabulary and topic.
  std::vector<double> beta_sum(beta.parts().count * topics, 0);
  for (Index k = 0; k < topics; ++k) {
    for (Index w = 0; w < words; ++w) beta_sum[beta.parts()[w] * topics + k] += beta.at(k, w);
  }
  std::vector<double> of_topic(beta_sum.size(), 0), of_word(topics * words, 0);
  for (Index d = 0; d + 1 < corpus.begin.size(); ++d) {
    std::vector<double> of_document(topics, 0);
    for (Index i = corpus.begin[d]; i < corpus.begin[d + 1]; ++i) {
      const Index k = z[i], w = corpus.tokens[i], x = beta.parts()[w] * topics + k;
      const auto before = static_cast<double>(i - corpus.begin[d]);
      value += std::log((of_document[k] + alpha[k]) / (before + alpha_sum));
      value += std::log((of_word[k * words + w] + beta.at(k, w)) / (of_topic[x] + beta_sum[x]));
      of_document[k] += 1;
      of_word[k * words + w] += 1;
      of_topic[x] += 1;
    }
  }
  return value;
}

inline double log_joint_by_urns(const TinyCorpus& corpus, std::span<const Index> z,
                                std::span<const double> alpha, std::span<const double> beta) {
  return log_joint_by_urns(corpus, z, alpha, WordPrior(alpha.size(), {beta.begin(), beta.end()}));
}

// body(z, state) for each of the K^n assignments of n tokens.
template <class Body>
void for_each_assignment(Index tokens, Index topics, const Body& body) {
  std::vector<Index> z(tokens, 0);
  for (Index state = 0;; ++state) {
    body(z, state);
    Index i = 0;
    while (i < tokens && ++z[i] == topics) z[i++] = 0;
    if (i == tokens) return;
  }
}

// p(z | w) by state, as for_each_assignment numbers them.
inline std::vector<double> posterior(const TinyCorpus& corpus, std::span<const double> alpha,
                                     const WordPrior& beta) {
  std::vector<double> p;
  double total = 0;
  for_each_assignment(corpus.tokens.size(), alpha.size(), [&](const auto& z, Index) {
    p.push_back(std::exp(log_joint_by_urns(corpus, z, alpha, beta)));
    total += p.back();
  });
  for (double& value : p) value /= total;
  return p;
}
inline std::vector<double> posterior(const TinyCorpus& corpus, std::span<const double> alpha,
                                     std::span<const double> beta) {
  return posterior(corpus, alpha, WordPrior(alpha.size(), {beta.begin(), beta.end()}));
}

// Which of them it is.
inline Index state_of(const std::vector<std::uint16_t>& z, Index topics) {
  Index state = 0;
  for (Index i = z.size(); i > 0; --i) state = state * topics + z[i - 1];
  return state;
}

// χ² of observed states, where those expected less than ten times are taken together; and its
// degrees of freedom.
inline std::pair<double, double> chi_square(const std::vector<double>& p,
                                            const std::vector<Index>& seen) {
  const auto draws = static_cast<double>(std::accumulate(seen.begin(), seen.end(), Index{0}));
  double value = 0, cells = 0, rare_p = 0, rare_seen = 0;
  for (Index s = 0; s < p.size(); ++s) {
    if (p[s] * draws < 10) {
      rare_p += p[s];
      rare_seen += static_cast<double>(seen[s]);
      continue;
    }
    value += std::pow(static_cast<double>(seen[s]) - p[s] * draws, 2) / (p[s] * draws);
    cells += 1;
  }
  if (rare_p * draws > 1) {
    value += std::pow(rare_seen - rare_p * draws, 2) / (rare_p * draws);
    cells += 1;
  }
  return {value, cells - 1};
}

}  // namespace trellis::topics
