#include "trellis/topics/wordlda/smoothing_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/wordlda/word_lda.h"

namespace trellis::topics {
namespace {

constexpr Index kWords = 30, kTopics = 5;

WordGraph some_graph(std::uint64_t seed) {
  Random random(seed);
  WordGraphBuilder builder(kWords);
  for (Index i = 0; i < 20; ++i) {
    builder.add(static_cast<std::uint32_t>(random.below(20)),
                static_cast<std::uint32_t>(random.below(20)),
                0.5F + static_cast<float>(random.uniform()));
  }
  return builder.build();
}

// Of words 15 to 24, some of which are linked.
WordFeatures some_features() {
  std::vector<std::uint64_t> begin = {0};
  std::vector<WordFeatures::Value> values;
  for (std::uint32_t w = 0; w < kWords; ++w) {
    if (w >= 15 && w < 25) {
      values.push_back({w % 2, 1.0F});
      values.push_back({2, static_cast<float>(w) * 0.1F - 2});
    }
    begin.push_back(values.size());
  }
  NameList names;
  for (const char* name : {"even", "odd", "slope"}) names.add(name);
  return {std::move(begin), std::move(values), std::move(names)};
}

struct Setting {
  TinyCorpus corpus = random_corpus(60, 50, kWords, 3);
  LdaChain chain;
  RelatedWords words{some_graph(2), some_features()};
  Smoothers smoothers{kTopics, words};

  explicit Setting(bool in_parts = false) : chain(corpus.documents(), options(), parts(in_parts)) {
    chain.start(1);
    for (Index sweep = 0; sweep < 10; ++sweep) chain.sweep(1);
    Random random(9);
    for (double& y : smoothers.common()) y = random.uniform() - 0.5;
    for (Index k = 0; k < kTopics; ++k) {
      for (double& y : smoothers.of_topic(k)) y = 2 * random.uniform() - 1;
    }
  }
  static WordParts parts(bool several) {
    WordParts parts;
    if (!several) return parts;
    parts.count = 3;
    for (Index w = 0; w < kWords; ++w) parts.of_words.push_back(static_cast<std::uint8_t>(w % 3));
    return parts;
  }
  static LdaOptions options() {
    LdaOptions options;
    options.topics = kTopics;
    options.beta = 0.1;
    return options;
  }
};

double minus_log_prior(const Setting& s, const WordGraph& graph, const SmoothingOptions& options) {
  double value = 0;
  const auto words = s.words.words();
  std::vector<Index> row_of(kWords, 0);
  for (Index r = 0; r < words.size(); ++r) row_of[words[r]] = r;
  const double l2 = options.lambda * options.lambda;
  for (const double y : s.smoothers.common()) value += y * y / (2 * l2);
  for (Index k = 0; k < kTopics; ++k) {
    const auto y = s.smoothers.of_topic(k);
    for (std::uint32_t v = 0; v < kWords; ++v) {
      for (const auto& link : graph.links(v)) {
        if (link.word < v) continue;
        const double apart = y[row_of[v]] - y[row_of[link.word]];
        value += static_cast<double>(link.weight) * apart * apart / (2 * l2);
      }
    }
    for (Index i = 0; i < y.size(); ++i) {
      const double spread = i < s.words.num_linked() ? options.sigma : options.tau;
      value += y[i] * y[i] / (2 * spread * spread);
    }
  }
  return value;
}

void expect_objective_of_chain(Setting&& s) {
  const SmoothingOptions options{0.7, 2, 1.3};
  const SmoothingObjective objective(s.chain, s.words, options);
  const double at = objective.value(s.smoothers), at_zero = objective.value({kTopics, s.words});
  const double plain = s.chain.log_joint(1);
  const std::vector<double> base(s.chain.beta().begin(), s.chain.beta().end());
  s.chain.set_beta(base, prior_rows(s.words, s.smoothers, base));
  const double expected = plain - s.chain.log_joint(1) + minus_log_prior(s, some_graph(2), options);
  EXPECT_NEAR(at - at_zero, expected, 1e-8 * std::abs(plain));
}

TEST(SmoothingStep, TheObjectiveIsTheChainsLikelihoodAndThePrior) {
  expect_objective_of_chain(Setting(false));
  expect_objective_of_chain(Setting(true));
}

TEST(SmoothingStep, GradientsAreThoseOfFiniteDifferences) {
  for (const double sigma : {2.0, kInfinity}) {
    const Setting s(sigma == 2.0);
    const SmoothingObjective objective(s.chain, s.words, {0.7, sigma, 1.3});
    const Index rows = s.words.num_rows();
    const double h = 1e-5;
    std::vector<double> scratch(3 * rows);
    for (const Index k : {0, 3}) {
      std::vector<double> y(s.smoothers.of_topic(k).begin(), s.smoothers.of_topic(k).end());
      std::vector<double> gradient(y.size()), unused(y.size());
      objective.of_topic(k, s.smoothers.common(), y, gradient, scratch);
      for (Index i = 0; i < y.size(); ++i) {
        const double middle = y[i];
        y[i] = middle + h;
        const double above = objective.of_topic(k, s.smoothers.common(), y, unused, scratch);
        y[i] = middle - h;
        const double below = objective.of_topic(k, s.smoothers.common(), y, unused, scratch);
        y[i] = middle;
        EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 1e-5) << "topic " << k << ", " << i;
      }
    }
    std::vector<double> scores(kTopics * rows),
        common(s.smoothers.common().begin(), s.smoothers.common().end());
    for (Index k = 0; k < kTopics; ++k) {
      topic_scores(s.words, s.smoothers.of_topic(k), std::span(scores).subspan(k * rows, rows));
    }
    std::vector<double> gradient(rows), unused(rows);
    objective.of_common(common, scores, gradient, 2);
    for (Index r = 0; r < rows; ++r) {
      const double middle = common[r];
      common[r] = middle + h;
      const double above = objective.of_common(common, scores, unused, 1);
      common[r] = middle - h;
      const double below = objective.of_common(common, scores, unused, 1);
      common[r] = middle;
      EXPECT_NEAR(gradient[r], (above - below) / (2 * h), 1e-5) << "row " << r;
    }
  }
}

const SmoothingOptions kThorough = {.evaluations = 200, .tolerance = 0};

TEST(SmoothingStep, StepsLowerTheObjectiveToWhereItIsFlat) {
  Setting s;
  const SmoothingOptions options = kThorough;
  double last = kInfinity;
  for (Index step = 0; step < 15; ++step) {
    const SmoothingObjective objective(s.chain, s.words, options);
    const double before = objective.value(s.smoothers);
    const SmoothingOutcome outcome = smooth(s.chain, s.words, options, s.smoothers, 1);
    EXPECT_NEAR(outcome.objective, objective.value(s.smoothers), 1e-9 * std::abs(before));
    EXPECT_LE(outcome.objective, before + 1e-9);
    EXPECT_LE(outcome.objective, last + 1e-9);
    last = outcome.objective;
  }
  const SmoothingObjective objective(s.chain, s.words, options);
  std::vector<double> scratch(3 * s.words.num_rows());
  for (Index k = 0; k < kTopics; ++k) {
    std::vector<double> gradient(s.smoothers.of_topic(k).size());
    objective.of_topic(k, s.smoothers.common(), s.smoothers.of_topic(k), gradient, scratch);
    for (const double g : gradient) EXPECT_NEAR(g, 0, 1e-3);
  }
}

// F at its minimum for the chain's counts. The chain's prior stays as it is.
double least_objective(Setting& s) {
  Smoothers smoothers = s.smoothers;
  double least = kInfinity;
  for (Index step = 0; step < 15; ++step) {
    least = smooth(s.chain, s.words, kThorough, smoothers, 1).objective;
  }
  const std::vector<double> base(s.chain.beta().begin(), s.chain.beta().end());
  s.chain.set_beta(base, prior_rows(s.words, s.smoothers, base));
  return least;
}

// What the default options leave to be gained, as a share of F(0) − F(minimum), by step.
TEST(SmoothingStep, DefaultStepsOfAChainComeNearTheMinimum) {
  Setting s;
  s.smoothers = Smoothers(kTopics, s.words);
  std::vector<double> left;
  for (Index step = 0; step < 10; ++step) {
    for (Index sweep = 0; sweep < 5; ++sweep) s.chain.sweep(1);
    const double at_zero = SmoothingObjective(s.chain, s.words, {}).value({kTopics, s.words});
    const double found = smooth(s.chain, s.words, {}, s.smoothers, 1).objective;
    const double least = least_objective(s);
    left.push_back((found - least) / (at_zero - least));
  }
  EXPECT_LT(left[0], 0.3);
  for (Index step = 5; step < 10; ++step) EXPECT_LT(left[step], 0.03) << step;
}

TEST(SmoothingStep, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 3}) {
    Setting s;
    smooth(s.chain, s.words, {}, s.smoothers, threads);
    results.push_back(s.chain.prior().rows().beta);
    results.back().insert(results.back().end(), s.smoothers.common().begin(),
                          s.smoothers.common().end());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// A word that no document has is given the topics of the one that it is linked to.
TEST(SmoothingStep, AnUnseenWordGoesWithItsKin) {
  std::vector<std::vector<std::uint32_t>> texts(40);
  Random random(1);
  for (Index d = 0; d < texts.size(); ++d) {
    for (Index i = 0; i < 30; ++i) {
      texts[d].push_back(static_cast<std::uint32_t>(d % 2 * 5 + random.below(5)));
    }
  }
  const TinyCorpus corpus = tiny_corpus(texts, 12);  // words 10 and 11 are unseen
  WordGraphBuilder builder(12);
  builder.add(0, 10, 1);
  builder.add(5, 11, 1);
  const RelatedWords words(builder.build(), WordFeatures(12));
  LdaOptions options;
  options.topics = 2;
  LdaChain chain(corpus.documents(), options);
  chain.start(1);
  for (Index sweep = 0; sweep < 100; ++sweep) chain.sweep(1);
  Smoothers smoothers(2, words);
  smooth(chain, words, {}, smoothers, 1);
  const Index topic = chain.prior().at(0, 0) > chain.prior().at(1, 0) ? 0 : 1;
  EXPECT_GT(chain.prior().at(topic, 10), 2 * chain.prior().at(1 - topic, 10));
  EXPECT_GT(chain.prior().at(1 - topic, 11), 2 * chain.prior().at(topic, 11));
  // Others have what they had.
  EXPECT_TRUE(chain.prior().row(1).empty());
}

TEST(WordLda, WithoutAGraphIsStandardLdaToTheBit) {
  const TinyCorpus corpus = random_corpus(100, 60, kWords, 4);
  LdaOptions options;
  options.topics = 20;
  LdaSchedule schedule;
  schedule.first = 5;
  schedule.every = 3;
  for (const BetaPrior beta : {BetaPrior::kFixed, BetaPrior::kSymmetric, BetaPrior::kPerWord}) {
    schedule.beta = beta;
    LdaChain plain(corpus.documents(), options), other(corpus.documents(), options);
    plain.start(1);
    WordLda word_lda(other, corpus.documents(),
                     RelatedWords(WordGraph(kWords), WordFeatures(kWords)), {});
    word_lda.start(2);
    for (Index sweep = 0; sweep < 30; ++sweep) {
      advance(plain, schedule, 1);
      word_lda.advance(schedule, {10, 5}, {}, 2);
    }
    EXPECT_EQ(plain.assignments(corpus.documents()), other.assignments(corpus.documents()));
    EXPECT_EQ(plain.log_joint(1), other.log_joint(1));
    EXPECT_TRUE(std::equal(plain.beta().begin(), plain.beta().end(), other.beta().begin()));
  }
}

TEST(WordLda, ContinuesAsIfUninterrupted) {
  const TinyCorpus corpus = random_corpus(100, 60, kWords, 4);
  LdaOptions options;
  options.topics = 20;
  LdaSchedule schedule;
  schedule.first = 5;
  schedule.every = 3;
  std::vector<std::uint8_t> stage(100);
  for (Index d = 0; d < 100; ++d) stage[d] = static_cast<std::uint8_t>(d % 2);
  const DocumentStages stages(stage, {0, 12});
  const RelatedWords words(some_graph(1), some_features());
  for (const Index cut : {3, 11, 12, 13, 20}) {
    LdaChain whole(corpus.documents(), options), resumed(corpus.documents(), options);
    WordLda first(whole, corpus.documents(), words, stages),
        second(resumed, corpus.documents(), words, stages);
    first.start(1);
    for (Index sweep = 0; sweep < cut; ++sweep) first.advance(schedule, {6, 5}, {}, 1);
    second.restore(first.smoothers().common(), first.smoothers().of_topics(), cut);
    resumed.set_alpha(whole.alpha());
    resumed.set_beta(whole.beta(), whole.prior().rows());
    resumed.restore(corpus.documents(), whole.assignments(corpus.documents()), cut);
    for (Index sweep = cut; sweep < 26; ++sweep) {
      first.advance(schedule, {6, 5}, {}, 1);
      second.advance(schedule, {6, 5}, {}, 2);
    }
    EXPECT_EQ(whole.assignments(corpus.documents()), resumed.assignments(corpus.documents()));
    EXPECT_EQ(whole.prior().rows().beta, resumed.prior().rows().beta) << cut;
  }
}

TEST(SmoothingOptions, AreChecked) {
  const auto check = [](auto change) {
    SmoothingOptions options;
    change(options);
    options.check();
  };
  EXPECT_THROW(check([](auto& o) { o.lambda = 0; }), UsageError);
  EXPECT_THROW(check([](auto& o) { o.lambda = std::nan(""); }), UsageError);
  EXPECT_THROW(check([](auto& o) { o.sigma = -1; }), UsageError);
  EXPECT_THROW(check([](auto& o) { o.tau = kInfinity; }), UsageError);
  EXPECT_NO_THROW(check([](auto& o) { o.sigma = kInfinity; }));
}

}  // namespace
}  // namespace trellis::topics
