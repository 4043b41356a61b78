#include "trellis/topics/lda/lda_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "tests/topics/lda/posterior_check.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

constexpr LdaSampler kSamplers[] = {LdaSampler::kDense, LdaSampler::kSparse, LdaSampler::kAlias};

void expect_counts_of_assignments(const LdaChain& chain, const TinyCorpus& corpus) {
  const std::vector<std::uint16_t> z = chain.assignments(corpus.documents());
  const Index topics = chain.num_topics();
  std::vector<std::uint32_t> totals(topics), of_word(corpus.num_words * topics);
  for (Index d = 0; d < chain.num_documents(); ++d) {
    std::vector<std::uint32_t> expected(topics), counts(topics);
    for (Index i = corpus.begin[d]; i < corpus.begin[d + 1]; ++i) {
      ASSERT_LT(z[i], topics);
      ++expected[z[i]];
      ++totals[z[i]];
      ++of_word[corpus.tokens[i] * topics + z[i]];
    }
    chain.count_document(d, counts);
    ASSERT_EQ(counts, expected) << "document " << d;
  }
  EXPECT_EQ(std::vector<std::uint32_t>(chain.topic_totals().begin(), chain.topic_totals().end()),
            totals);
  for (Index w = 0; w < corpus.num_words; ++w) {
    std::vector<std::uint32_t> counts(topics);
    chain.for_each_topic_of_word(w, [&](Index k, std::uint32_t n) { counts[k] = n; });
    ASSERT_TRUE(std::equal(counts.begin(), counts.end(), of_word.begin() + w * topics))
        << "word " << w;
  }
}

TEST(LdaChain, DrawsFromThePosterior) {
  const TinyCorpus corpus = tiny_corpus({{0, 1, 0}, {1, 2}, {2}}, 3);
  const std::vector<double> alpha = {0.5, 0.2, 1.1}, beta = {0.3, 0.1, 0.6};
  const std::vector<double> p = posterior(corpus, alpha, beta);
  for (const LdaSampler sampler : kSamplers) {
    LdaOptions options;
    options.topics = 3;
    options.sampler = sampler;
    options.blocks = 1;
    LdaChain chain(corpus.documents(), options);
    chain.set_alpha(alpha);
    chain.set_beta(beta);
    expect_draws_from(p, corpus, chain);
  }
}

// A token drawn over and over, with all others held: one distribution for both ways to draw from
// it.
TEST(LdaChain, DrawsATokenFromItsConditional) {
  const TinyCorpus corpus = random_corpus(12, 30, 10, 7);
  const Index topics = 21, n = corpus.tokens.size();
  Random random(3);
  std::vector<std::uint16_t> z(n);
  for (auto& k : z) k = static_cast<std::uint16_t>(random.below(topics));
  for (const LdaSampler sampler : {LdaSampler::kDense, LdaSampler::kSparse}) {
    LdaOptions options;
    options.topics = topics;
    options.sampler = sampler;
    options.blocks = 1;
    std::vector<double> alpha(topics);
    for (Index k = 0; k < topics; ++k) alpha[k] = 0.05 + 0.1 * static_cast<double>(k % 5);
    // The first token of the first sweep: its word has the lowest number in the first document.
    std::vector<Index> seen(topics);
    Index token = n;
    const Index draws = 5000;
    for (Index seed = 0; seed < draws; ++seed) {
      options.seed = seed;
      LdaChain chain(corpus.documents(), options);
      chain.set_alpha(alpha);
      chain.restore(corpus.documents(), z, 0);
      chain.sweep(1);
      if (token == n) {
        const LdaLayout layout(corpus.documents(), 1);
        Index d = 0;
        while (corpus.begin[d + 1] == corpus.begin[d]) ++d;
        std::vector<std::uint32_t> places;
        layout.places(corpus.documents()[d], places);
        token = corpus.begin[d] +
                static_cast<Index>(std::find(places.begin(), places.end(), 0U) - places.begin());
      }
      ++seen[chain.assignments(corpus.documents())[token]];
    }
    std::vector<double> p(topics);
    const std::vector<double> beta(corpus.num_words, options.beta);
    std::vector<Index> others(z.begin(), z.end());
    const double scale = log_joint_by_urns(corpus, others, alpha, beta);
    double total = 0;
    for (Index k = 0; k < topics; ++k) {
      others[token] = k;
      total += p[k] = std::exp(log_joint_by_urns(corpus, others, alpha, beta) - scale);
    }
    for (double& value : p) value /= total;
    const auto [value, freedom] = chi_square(p, seen);
    EXPECT_LT(value, freedom + 5 * std::sqrt(2 * freedom)) << static_cast<int>(sampler);
  }
}

TEST(LdaChain, LogJointEqualsItsUrns) {
  const TinyCorpus corpus = random_corpus(30, 40, 25, 5);
  LdaOptions options;
  options.topics = 6;
  LdaChain chain(corpus.documents(), options);
  const std::vector<double> alpha = {0.5, 0.2, 1.1, 0.01, 3, 0.7};
  std::vector<double> beta(25);
  for (Index w = 0; w < 25; ++w) beta[w] = 0.01 * static_cast<double>(1 + w);
  chain.set_alpha(alpha);
  chain.set_beta(beta);
  chain.start(1);
  for (Index sweep = 0; sweep < 3; ++sweep) chain.sweep(1);
  const auto z = chain.assignments(corpus.documents());
  const std::vector<Index> wide(z.begin(), z.end());
  const double expected = log_joint_by_urns(corpus, wide, alpha, beta);
  EXPECT_NEAR(chain.log_joint(1), expected, 1e-9 * std::abs(expected));
  EXPECT_EQ(chain.log_joint(1), chain.log_joint(3));
}

TEST(LdaChain, CountsAreThoseOfTheAssignments) {
  const TinyCorpus corpus = random_corpus(60, 80, 40, 1);
  for (const LdaSampler sampler : kSamplers) {
    for (const Index topics : {1, 2, 7, 8, 9, 70}) {
      for (const Index blocks : {1, 3, 7}) {
        LdaOptions options;
        options.topics = topics;
        options.sampler = sampler;
        options.blocks = blocks;
        LdaChain chain(corpus.documents(), options);
        chain.start(2);
        expect_counts_of_assignments(chain, corpus);
        for (Index sweep = 0; sweep < 5; ++sweep) chain.sweep(2);
        expect_counts_of_assignments(chain, corpus);
      }
    }
  }
}

TEST(LdaChain, SameBitsForAnyNumberOfThreads) {
  const TinyCorpus corpus = random_corpus(200, 60, 80, 2);
  for (const LdaSampler sampler : kSamplers) {
    std::vector<std::vector<std::uint16_t>> results;
    for (const int threads : {1, 2, 3}) {
      LdaOptions options;
      options.topics = 40;
      options.sampler = sampler;
      options.blocks = 5;
      LdaChain chain(corpus.documents(), options);
      chain.start(threads);
      for (Index sweep = 0; sweep < 6; ++sweep) chain.sweep(threads);
      results.push_back(chain.assignments(corpus.documents()));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(LdaChain, ContinuesAsIfUninterrupted) {
  const TinyCorpus corpus = random_corpus(150, 60, 80, 4);
  for (const LdaSampler sampler : kSamplers) {
    LdaOptions options;
    options.topics = 40;
    options.sampler = sampler;
    options.blocks = 4;
    LdaChain whole(corpus.documents(), options);
    whole.start(2);
    for (Index sweep = 0; sweep < 4; ++sweep) whole.sweep(2);
    LdaChain resumed(corpus.documents(), options);
    resumed.restore(corpus.documents(), whole.assignments(corpus.documents()), whole.num_sweeps());
    for (Index sweep = 0; sweep < 4; ++sweep) {
      whole.sweep(2);
      resumed.sweep(1);
    }
    EXPECT_EQ(whole.assignments(corpus.documents()), resumed.assignments(corpus.documents()));
    EXPECT_EQ(whole.num_sweeps(), resumed.num_sweeps());
    EXPECT_EQ(whole.log_joint(1), resumed.log_joint(1));
  }
}

// Two topics with words of their own are told apart, by every sampler.
TEST(LdaChain, FindsTopicsThatShareNoWord) {
  Random random(9);
  std::vector<std::vector<std::uint32_t>> texts(40);
  for (Index d = 0; d < texts.size(); ++d) {
    for (Index i = 0; i < 30; ++i) {
      texts[d].push_back(static_cast<std::uint32_t>(d % 2 * 10 + random.below(10)));
    }
  }
  const TinyCorpus corpus = tiny_corpus(texts, 20);
  for (const LdaSampler sampler : kSamplers) {
    LdaOptions options;
    options.topics = 2;
    options.sampler = sampler;
    LdaChain chain(corpus.documents(), options);
    chain.start(1);
    for (Index sweep = 0; sweep < 100; ++sweep) chain.sweep(1);
    std::vector<std::uint32_t> counts(2);
    Index right = 0;
    for (Index d = 0; d < texts.size(); ++d) {
      chain.count_document(d, counts);
      right += std::max(counts[0], counts[1]);
    }
    EXPECT_GT(right, 1150U);
  }
}

TEST(LdaChain, FrequentWordsAndLongDocumentsCountBeyondSixteenBits) {
  std::vector<std::vector<std::uint32_t>> texts(1);
  texts[0].assign(70000, 0);
  texts[0].push_back(1);
  const TinyCorpus corpus = tiny_corpus(texts, 2);
  for (const LdaSampler sampler : kSamplers) {
    LdaOptions options;
    options.topics = 2;
    options.sampler = sampler;
    options.alpha = 1e-3;
    LdaChain chain(corpus.documents(), options);
    chain.start(1);
    chain.sweep(1);
    expect_counts_of_assignments(chain, corpus);
    EXPECT_EQ(chain.topic_totals()[0] + chain.topic_totals()[1], 70001U);
  }
}

TEST(LdaChain, TakesEmptyDocumentsAndMoreTopicsThanWords) {
  const TinyCorpus corpus = tiny_corpus({{}, {0, 1}, {}, {1}}, 3);
  LdaOptions options;
  options.topics = 500;
  LdaChain chain(corpus.documents(), options);
  chain.start(1);
  chain.sweep(1);
  expect_counts_of_assignments(chain, corpus);
  const TinyCorpus nothing = tiny_corpus({}, 0);
  LdaChain empty(nothing.documents(), options);
  empty.start(1);
  empty.sweep(1);
  EXPECT_EQ(empty.num_tokens(), 0U);
}

TEST(LdaChain, RefusesWhatIsOutOfRange) {
  const TinyCorpus corpus = tiny_corpus({{0, 1}}, 2);
  const auto chain = [&](auto change) {
    LdaOptions options;
    change(options);
    return LdaChain(corpus.documents(), options).num_topics();
  };
  EXPECT_THROW(chain([](auto& o) { o.topics = 0; }), UsageError);
  EXPECT_THROW(chain([](auto& o) { o.topics = 65536; }), UsageError);
  EXPECT_THROW(chain([](auto& o) { o.alpha = std::nan(""); }), UsageError);
  EXPECT_THROW(chain([](auto& o) { o.beta = 0; }), UsageError);
  EXPECT_THROW(chain([](auto& o) { o.blocks = 1000; }), UsageError);
  const TinyCorpus strange = tiny_corpus({{0, 2}}, 2);
  EXPECT_THROW(LdaChain(strange.documents(), LdaOptions()).num_topics(), UsageError);
  LdaChain good(corpus.documents(), LdaOptions());
  EXPECT_THROW(good.set_alpha(std::vector<double>(99, 0.1)), UsageError);
  EXPECT_THROW(good.set_beta(std::vector<double>{1, -1}), UsageError);
  EXPECT_THROW(good.restore(corpus.documents(), std::vector<std::uint16_t>{0, 100}, 1), UsageError);
}

}  // namespace
}  // namespace trellis::topics
