// Chains whose words have priors by topic, and documents that come later.
#include "trellis/topics/lda/word_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "tests/topics/lda/posterior_check.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/lda/document_stages.h"
#include "trellis/topics/lda/hyperparameters.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {
namespace {

constexpr LdaSampler kEverySampler[] = {LdaSampler::kDense, LdaSampler::kSparse,
                                        LdaSampler::kAlias};

// Every other word has a row.
PriorRows rows_of_every_other(Index words, Index topics, std::uint64_t seed) {
  Random random(seed);
  PriorRows rows;
  for (std::uint32_t w = 0; w < words; w += 2) {
    rows.words.push_back(w);
    for (Index k = 0; k < topics; ++k) rows.beta.push_back(0.02 + 2 * random.uniform());
  }
  return rows;
}

TEST(WordPrior, SumsItsTopics) {
  const WordPrior prior(2, {0.5, 0.25, 1}, {{1}, {3, 4}});
  EXPECT_EQ(prior.at(0, 0), 0.5);
  EXPECT_EQ(prior.at(1, 1), 4);
  EXPECT_TRUE(prior.row(2).empty());
  EXPECT_DOUBLE_EQ(prior.sums()[0], 4.5);
  EXPECT_DOUBLE_EQ(prior.sums()[1], 5.5);
}

TEST(WordPrior, RefusesWhatIsNone) {
  const auto make = [](PriorRows rows) {
    return WordPrior(2, {1, 1}, std::move(rows)).num_words();
  };
  EXPECT_THROW(make({{2}, {1, 1}}), UsageError);
  EXPECT_THROW(make({{0}, {1}}), UsageError);
  EXPECT_THROW(make({{0}, {1, std::nan("")}}), UsageError);
  EXPECT_THROW(make({{0}, {1, 0}}), UsageError);
  EXPECT_THROW(make({{1, 0}, {1, 1, 1, 1}}), UsageError);
  EXPECT_THROW(make({{1, 1}, {1, 1, 1, 1}}), UsageError);
}

TEST(WordPrior, ChainsDrawFromThePosterior) {
  const TinyCorpus corpus = tiny_corpus({{0, 1, 0}, {1, 2}, {2}}, 3);
  const std::vector<double> alpha = {0.5, 0.2, 1.1}, beta = {0.3, 0.1, 0.6};
  const PriorRows rows = {{0, 2}, {0.05, 1.5, 0.4, 0.9, 0.02, 0.3}};
  const std::vector<double> p = posterior(corpus, alpha, WordPrior(3, beta, rows));
  for (const LdaSampler sampler : kEverySampler) {
    LdaOptions options;
    options.topics = 3;
    options.sampler = sampler;
    options.blocks = 1;
    LdaChain chain(corpus.documents(), options);
    chain.set_alpha(alpha);
    chain.set_beta(beta, rows);
    expect_draws_from(p, corpus, chain);
  }
}

// All K weights by vectors, and the decomposition of sec. 6.7: one distribution, that of the
// definition. Most draws of so smooth a prior are of its own bucket.
TEST(WordPrior, TheDecompositionDrawsWhatThePlainSamplerDraws) {
  const Index topics = 21;
  const TinyCorpus corpus = random_corpus(12, 30, 10, 7);
  const PriorRows rows = rows_of_every_other(10, topics, 5);
  Random random(3);
  std::vector<std::uint16_t> z(corpus.tokens.size());
  for (auto& k : z) k = static_cast<std::uint16_t>(random.below(topics));
  Index d = 0;
  while (corpus.begin[d + 1] == corpus.begin[d]) ++d;
  const LdaLayout layout(corpus.documents(), 1);
  std::vector<std::uint32_t> places;
  layout.places(corpus.documents()[d], places);
  // The first token that is drawn, and one with a row: words are numbered by frequency.
  const Index token =
      corpus.begin[d] +
      static_cast<Index>(std::find(places.begin(), places.end(), 0U) - places.begin());
  const std::vector<double> beta(10, 0.01);
  std::vector<double> p(topics);
  {
    const std::vector<double> alpha(topics, 0.1);
    std::vector<Index> others(z.begin(), z.end());
    const WordPrior prior(topics, beta, rows);
    const double scale = log_joint_by_urns(corpus, others, alpha, prior);
    double total = 0;
    for (Index k = 0; k < topics; ++k) {
      others[token] = k;
      total += p[k] = std::exp(log_joint_by_urns(corpus, others, alpha, prior) - scale);
    }
    for (double& value : p) value /= total;
  }
  ASSERT_FALSE(WordPrior(topics, beta, rows).row(corpus.tokens[token]).empty());
  for (const LdaSampler sampler : {LdaSampler::kDense, LdaSampler::kSparse}) {
    std::vector<Index> seen(topics);
    for (Index seed = 0; seed < 8000; ++seed) {
      LdaOptions options;
      options.topics = topics;
      options.sampler = sampler;
      options.blocks = 1;
      options.seed = seed;
      LdaChain chain(corpus.documents(), options);
      chain.set_beta(beta, rows);
      chain.restore(corpus.documents(), z, 0);
      chain.sweep(1);
      ++seen[chain.assignments(corpus.documents())[token]];
    }
    const auto [value, freedom] = chi_square(p, seen);
    EXPECT_LT(value, freedom + 5 * std::sqrt(2 * freedom)) << static_cast<int>(sampler);
  }
}

TEST(WordPrior, LogJointOfAChainEqualsItsUrns) {
  const TinyCorpus corpus = random_corpus(30, 40, 25, 5);
  LdaOptions options;
  options.topics = 6;
  LdaChain chain(corpus.documents(), options);
  chain.set_beta(std::vector<double>(25, 0.2), rows_of_every_other(25, 6, 1));
  chain.start(1);
  chain.sweep(1);
  const auto z = chain.assignments(corpus.documents());
  const double expected = log_joint_by_urns(corpus, std::vector<Index>(z.begin(), z.end()),
                                            chain.alpha(), chain.prior());
  EXPECT_NEAR(chain.log_joint(1), expected, 1e-9 * std::abs(expected));
}

void expect_same_bits_for_threads(LdaSampler sampler, const WordParts& parts) {
  const TinyCorpus corpus = random_corpus(200, 60, 80, 2);
  std::vector<std::vector<std::uint16_t>> results;
  for (const int threads : {1, 3}) {
    LdaOptions options;
    options.topics = 40;
    options.sampler = sampler;
    options.blocks = 5;
    LdaChain chain(corpus.documents(), options, parts);
    chain.set_beta(std::vector<double>(80, 0.1), rows_of_every_other(80, 40, 3));
    chain.start(threads);
    for (Index sweep = 0; sweep < 6; ++sweep) chain.sweep(threads);
    results.push_back(chain.assignments(corpus.documents()));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(WordPrior, SameBitsForAnyNumberOfThreads) {
  for (const LdaSampler sampler : kEverySampler) expect_same_bits_for_threads(sampler, {});
}

// β of words without rows is where the likelihood is flat, whatever the rows are.
TEST(WordPrior, OtherWordsHaveTheirLikelyPrior) {
  const TinyCorpus corpus = random_corpus(80, 60, 30, 6);
  LdaOptions options;
  options.topics = 5;
  options.beta = 0.1;
  LdaChain chain(corpus.documents(), options);
  const PriorRows rows = rows_of_every_other(30, 5, 4);
  chain.set_beta(chain.beta(), rows);
  chain.start(1);
  for (Index sweep = 0; sweep < 30; ++sweep) chain.sweep(1);
  const double before = chain.log_joint(1);
  FixedPointOptions fixed_point;
  fixed_point.max_steps = 5000;
  fixed_point.tolerance = 1e-12;
  optimise_symmetric_beta(chain, fixed_point);
  EXPECT_GT(chain.log_joint(1), before);
  EXPECT_EQ(chain.prior().rows().beta, rows.beta);
  EXPECT_EQ(chain.beta()[0], 0.1);
  const double best = chain.log_joint(1), found = chain.beta()[1];
  for (const double factor : {0.99, 1.01}) {
    std::vector<double> beta(30, 0.1);
    for (Index w = 1; w < 30; w += 2) beta[w] = found * factor;
    chain.set_beta(beta, rows);
    EXPECT_LT(chain.log_joint(1), best);
  }
}

WordParts odd_and_even(Index words) {
  WordParts parts{2, {}};
  for (Index w = 0; w < words; ++w) parts.of_words.push_back(static_cast<std::uint8_t>(w % 2));
  return parts;
}

TEST(WordParts, ChainsDrawFromThePosterior) {
  const TinyCorpus corpus = tiny_corpus({{0, 1, 0}, {1, 2}, {3}}, 4);
  const std::vector<double> alpha = {0.5, 0.2, 1.1}, beta = {0.3, 0.1, 0.6, 0.2};
  const PriorRows rows = {{0, 3}, {0.05, 1.5, 0.4, 0.9, 0.02, 0.3}};
  for (const PriorRows& own : {PriorRows(), rows}) {
    const std::vector<double> p =
        posterior(corpus, alpha, WordPrior(3, beta, own, odd_and_even(4)));
    for (const LdaSampler sampler : {LdaSampler::kDense, LdaSampler::kSparse}) {
      LdaOptions options;
      options.topics = 3;
      options.sampler = sampler;
      options.blocks = 1;
      LdaChain chain(corpus.documents(), options, odd_and_even(4));
      chain.set_alpha(alpha);
      chain.set_beta(beta, own);
      expect_draws_from(p, corpus, chain);
    }
  }
}

TEST(WordParts, LogJointAndLikelyPriorsAreThoseOfTheParts) {
  const TinyCorpus corpus = random_corpus(60, 40, 25, 5);
  LdaOptions options;
  options.topics = 6;
  options.beta = 0.1;
  for (const bool related : {false, true}) {
    LdaChain chain(corpus.documents(), options, odd_and_even(25));
    PriorRows rows;
    if (related) rows = {{2, 5}, std::vector<double>(12, 0.3)};
    chain.set_beta(chain.beta(), rows);
    chain.start(1);
    for (Index sweep = 0; sweep < 20; ++sweep) chain.sweep(1);
    const auto z = chain.assignments(corpus.documents());
    const double expected = log_joint_by_urns(corpus, std::vector<Index>(z.begin(), z.end()),
                                              chain.alpha(), chain.prior());
    EXPECT_NEAR(chain.log_joint(1), expected, 1e-9 * std::abs(expected));
    FixedPointOptions fixed_point;
    fixed_point.max_steps = 5000;
    fixed_point.tolerance = 1e-12;
    for (const bool per_word : {false, true}) {
      if (per_word) {
        optimise_beta(chain, fixed_point);
      } else {
        optimise_symmetric_beta(chain, fixed_point);
      }
      const double best = chain.log_joint(1);
      const std::vector<double> found(chain.beta().begin(), chain.beta().end());
      for (const double factor : {0.98, 1.02}) {
        std::vector<double> beta = found;
        if (per_word) {
          beta[1] *= factor;
        } else {
          for (double& b : beta) b *= factor;
        }
        chain.set_beta(beta, chain.prior().rows());
        EXPECT_LE(chain.log_joint(1), best + 1e-9);
      }
      chain.set_beta(found, chain.prior().rows());
    }
  }
}

TEST(WordParts, SameBitsForAnyNumberOfThreads) {
  expect_same_bits_for_threads(LdaSampler::kSparse, odd_and_even(80));
  expect_same_bits_for_threads(LdaSampler::kDense, odd_and_even(80));
}

// Words of a part are compared with those of their part alone.
TEST(WordParts, ProbabilitiesOfAPartHaveTheSumOne) {
  const TinyCorpus corpus = random_corpus(60, 40, 25, 5);
  LdaOptions options;
  options.topics = 4;
  LdaChain chain(corpus.documents(), options, odd_and_even(25));
  chain.set_beta(chain.beta(), {{2, 5}, std::vector<double>(8, 0.3)});
  chain.start(1);
  chain.sweep(1);
  const LdaModel model(chain);
  std::vector<double> sums(8, 0), phi(4);
  for (Index w = 0; w < 25; ++w) {
    model.word_probabilities(w, phi);
    for (Index k = 0; k < 4; ++k) sums[w % 2 * 4 + k] += phi[k];
  }
  for (const double total : sums) EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(model.part_shares()[0] + model.part_shares()[1], 1, 1e-12);
}

TEST(WordParts, AreChecked) {
  const auto make = [](WordParts parts) {
    return WordPrior(2, {1, 1}, {}, std::move(parts)).num_words();
  };
  EXPECT_THROW(make({2, {}}), UsageError);
  EXPECT_THROW(make({2, {0}}), UsageError);
  EXPECT_THROW(make({2, {0, 2}}), UsageError);
  const TinyCorpus corpus = tiny_corpus({{0, 1}}, 2);
  LdaOptions options;
  options.sampler = LdaSampler::kAlias;
  EXPECT_THROW(LdaChain(corpus.documents(), options, odd_and_even(2)).num_topics(), UsageError);
}

TEST(DocumentStages, NewcomersFindTheOthers) {
  const TinyCorpus corpus = random_corpus(60, 40, 30, 8);
  for (const LdaSampler sampler : kEverySampler) {
    LdaOptions options;
    options.topics = 7;
    options.sampler = sampler;
    options.blocks = 3;
    LdaChain chain(corpus.documents(), options);
    std::vector<std::uint8_t> stage(60);
    for (Index d = 0; d < 60; ++d) stage[d] = static_cast<std::uint8_t>(d % 3 == 0 ? 1 : 0);
    const DocumentStages stages(stage, {0, 4});
    stages.leave_out(chain, 0);
    chain.start(2);
    for (Index sweep = 0; sweep < 4; ++sweep) chain.sweep(2);
    EXPECT_LT(chain.num_present_tokens(), chain.num_tokens());
    std::vector<std::uint32_t> counts(7);
    const auto z = chain.assignments(corpus.documents());
    Index counted = 0;
    for (Index d = 0; d < 60; ++d) {
      chain.count_document(d, counts);
      for (const std::uint32_t n : counts) counted += n;
      for (Index i = corpus.begin[d]; i < corpus.begin[d + 1]; ++i) {
        EXPECT_EQ(z[i] == kNoTopic, stage[d] == 1);
      }
    }
    EXPECT_EQ(counted, chain.num_present_tokens());
    // What went on from here is what goes on from here.
    LdaChain resumed(corpus.documents(), options);
    stages.leave_out(resumed, 4);
    resumed.restore(corpus.documents(), z, 4);
    for (LdaChain* each : {&chain, &resumed}) {
      stages.let_in(*each, corpus.documents(), 2);
      for (Index sweep = 0; sweep < 3; ++sweep) each->sweep(1);
    }
    const auto all = chain.assignments(corpus.documents());
    EXPECT_EQ(all, resumed.assignments(corpus.documents()));
    for (const std::uint16_t k : all) EXPECT_LT(k, 7);
    EXPECT_EQ(chain.num_present_tokens(), chain.num_tokens());
    EXPECT_THROW(stages.leave_out(chain, 0), UsageError);
  }
}

}  // namespace
}  // namespace trellis::topics
