#include "trellis/topics/lda/alias_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

TEST(AliasTable, HasTheProbabilitiesOfItsWeights) {
  Random random(1);
  AliasBuilder builder;
  for (Index size = 1; size < 40; ++size) {
    std::vector<float> weights(size);
    double total = 0;
    for (float& weight : weights) {
      weight = random.below(3) == 0 ? 0 : static_cast<float>(random.uniform());
    }
    weights[random.below(size)] = 2;
    for (const float weight : weights) total += static_cast<double>(weight);
    std::vector<AliasCell> cells(size);
    builder.build(weights, cells);
    std::vector<double> p(size, 0);
    for (Index i = 0; i < size; ++i) {
      const auto keep = static_cast<double>(cells[i].keep);
      p[i] += keep / static_cast<double>(size);
      p[cells[i].other] += (1 - keep) / static_cast<double>(size);
    }
    for (Index i = 0; i < size; ++i) {
      EXPECT_NEAR(p[i], static_cast<double>(weights[i]) / total, 1e-5) << size;
    }
  }
}

// One cell is sampled over and over, all other tokens held: what is left invariant is the posterior
// of its tokens given theirs, whatever the word's proposals know of these.
TEST(AliasSampler, LeavesThePosteriorOfACellInvariant) {
  const TinyCorpus corpus = tiny_corpus(
      {{0, 1, 2, 0, 1}, {1, 3, 0}, {2, 2, 3, 0, 1, 1}, {3, 0, 1, 2, 2, 0, 3, 1}, {0, 0, 1}}, 4);
  constexpr Index kTopics = 3;
  const std::vector<double> alpha = {0.5, 0.2, 1.1}, beta = {0.3, 0.1, 0.6, 0.2};
  const LdaLayout layout(corpus.documents(), 2);
  // Positions stand for tokens: the corpus in the layout's order and numbers.
  std::vector<std::uint32_t> words;
  for (Index d = 0; d < layout.num_documents(); ++d) {
    for (Index b = 0; b < 2; ++b) {
      for (Index i = layout.begin(d, b); i < layout.end(d, b); ++i) {
        words.push_back(static_cast<std::uint32_t>(layout.word(i, b)));
      }
    }
  }
  const TinyCorpus ordered{corpus.begin, words, 4};
  std::vector<double> beta_by_number(4);
  for (Index w = 0; w < 4; ++w) beta_by_number[w] = beta[layout.vocabulary()[w]];
  const WordPrior prior(kTopics, beta);
  const NumberedPrior numbered(prior, layout.vocabulary());

  WordTopics word_topics(layout.counts(), kTopics, 65536);
  DocumentTopics document_topics(corpus.begin, kTopics);
  std::vector<std::uint16_t> z(corpus.tokens.size());
  std::vector<std::uint32_t> totals(kTopics, 0);
  for (Index d = 0; d < layout.num_documents(); ++d) {
    std::vector<std::uint32_t> counts(kTopics, 0);
    for (Index i = layout.begin(d); i < layout.end(d); ++i) {
      z[i] = static_cast<std::uint16_t>((i * i + d) % kTopics);
      ++counts[z[i]];
      ++totals[z[i]];
      word_topics.add(words[i], z[i]);
    }
    auto list = document_topics.rewrite(d);
    for (std::uint32_t k = 0; k < kTopics; ++k) {
      if (counts[k] > 0) list.push(k, counts[k]);
    }
  }
  std::vector<Index> own;  // positions of the cell's tokens
  for (Index d = layout.first_document(0); d < layout.first_document(1); ++d) {
    for (Index i = layout.begin(d, 1); i < layout.end(d, 1); ++i) own.push_back(i);
  }
  ASSERT_GE(own.size(), 3U);
  ASSERT_LE(own.size(), 7U);

  std::vector<double> p;
  double total = 0;
  std::vector<Index> all(z.begin(), z.end());
  for_each_assignment(own.size(), kTopics, [&](const auto& topics, Index) {
    for (Index i = 0; i < own.size(); ++i) all[own[i]] = topics[i];
    p.push_back(std::exp(log_joint_by_urns(ordered, all, alpha, beta_by_number) + 40));
    total += p.back();
  });
  for (double& value : p) value /= total;

  AliasSampler sampler(kTopics);
  std::vector<Index> seen(p.size(), 0);
  for (Index step = 0; step < 200000; ++step) {
    sampler.begin(alpha, prior.sums(), totals);
    const CellStream stream{1, 0, step};
    sampler.sample({&layout, 0, 1, &numbered, {}, &word_topics, &document_topics, z, stream}, 1);
    totals.assign(sampler.totals().begin(), sampler.totals().end());
    if (step % 10 > 0) continue;
    Index state = 0;
    for (Index i = own.size(); i > 0; --i) state = state * kTopics + z[own[i - 1]];
    ++seen[state];
  }
  const auto [value, freedom] = chi_square(p, seen);
  EXPECT_LT(value, freedom + 5 * std::sqrt(2 * freedom));
  EXPECT_GT(freedom, 10);
}

}  // namespace
}  // namespace trellis::topics
