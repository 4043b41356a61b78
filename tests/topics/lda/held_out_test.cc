#include "trellis/topics/lda/held_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/topics/lda/infer.h"

namespace trellis::topics {
namespace {

LdaModel small_model() {
  return {{0.3, 0.9, 0.5},
          {0.1, 0.2, 0.1, 0.4},
          {0, 2, 3, 5, 5},
          {{0, 5}, {2, 1}, {1, 7}, {0, 2}, {1, 1}}};
}

// Everything about a document with known topics, by summing over its assignments.
struct Enumerated {
  double likelihood = 0;
  std::vector<double> theta;
};

Enumerated enumerate(const LdaModel& model, const std::vector<std::uint32_t>& document) {
  Enumerated result{0, std::vector<double>(model.num_topics(), 0)};
  std::vector<double> phi(model.num_topics());
  for_each_assignment(document.size(), model.num_topics(), [&](const auto& z, Index) {
    std::vector<double> counted(model.alpha().begin(), model.alpha().end());
    double p = 1;
    for (Index i = 0; i < document.size(); ++i) {
      model.word_probabilities(document[i], phi);
      p *= phi[z[i]] * counted[z[i]] / (static_cast<double>(i) + model.alpha_sum());
      counted[z[i]] += 1;
    }
    result.likelihood += p;
    const double total = static_cast<double>(document.size()) + model.alpha_sum();
    for (Index k = 0; k < counted.size(); ++k) result.theta[k] += p * counted[k] / total;
  });
  for (double& value : result.theta) value /= result.likelihood;
  return result;
}

TEST(LdaModel, ProbabilitiesOfWordsSumToOne) {
  const LdaModel model = small_model();
  std::vector<double> sums(3, 0), phi(3);
  for (Index w = 0; w < model.num_words(); ++w) {
    model.word_probabilities(w, phi);
    for (Index k = 0; k < 3; ++k) sums[k] += phi[k];
  }
  for (const double total : sums) EXPECT_NEAR(total, 1, 1e-12);
}

TEST(LdaModel, RefusesWhatDoesNotFit) {
  EXPECT_THROW(LdaModel({0.1}, {0.1}, {0, 1}, {{1, 2}}), UsageError);
  EXPECT_THROW(LdaModel({0.1}, {0.1}, {0, 2}, {{0, 2}}), UsageError);
  EXPECT_THROW(LdaModel({std::nan("")}, {0.1}, {0, 0}, {}), UsageError);
  EXPECT_THROW(LdaModel({0.1}, {0.1}, {0, 1}, {{0, std::nan("")}}), UsageError);
  EXPECT_THROW(KnownDocument(small_model(), std::vector<std::uint32_t>{4}), UsageError);
}

TEST(HeldOut, LeftToRightEqualsEnumeration) {
  const LdaModel model = small_model();
  const std::vector<std::uint32_t> document = {0, 1, 1, 2, 3, 0};
  const double exact = enumerate(model, document).likelihood;
  for (const bool linear : {false, true}) {
    LeftToRightOptions options;
    options.particles = 4000;
    options.linear = linear;
    const double estimate = left_to_right(KnownDocument(model, document), options, Random(1));
    EXPECT_NEAR(estimate, std::log(exact), 0.03) << linear;
    // Few particles: the mean of p over many runs, not of log p, is right.
    options.particles = linear ? 3 : 1;
    double mean = 0, square = 0;
    const Index runs = 20000;
    for (Index run = 0; run < runs; ++run) {
      const double p =
          std::exp(left_to_right(KnownDocument(model, document), options, Random(2, run)));
      mean += p / runs;
      square += p * p / runs;
    }
    const double error = std::sqrt((square - mean * mean) / runs);
    EXPECT_NEAR(mean, exact, 4 * error) << linear;
  }
}

TEST(HeldOut, OneWordIsExact) {
  const LdaModel model = small_model();
  for (std::uint32_t w = 0; w < 4; ++w) {
    const double exact = std::log(enumerate(model, {w}).likelihood);
    const std::vector<std::uint32_t> word = {w};
    EXPECT_NEAR(left_to_right(KnownDocument(model, word), {}, Random(1)), exact, 1e-12);
  }
}

TEST(HeldOut, SumsOverDocumentsForAnyNumberOfThreads) {
  const TinyCorpus corpus = tiny_corpus({{0, 1, 2}, {}, {3, 3}, {1}}, 4);
  const LdaModel model = small_model();
  const HeldOut one = held_out_likelihood(model, corpus.documents(), {}, 1);
  const HeldOut three = held_out_likelihood(model, corpus.documents(), {}, 3);
  EXPECT_EQ(one.log_likelihood, three.log_likelihood);
  EXPECT_EQ(one.total, three.total);
  EXPECT_EQ(one.log_likelihood[1], 0);
  EXPECT_EQ(one.num_tokens, 6U);
  EXPECT_NEAR(one.perplexity(), std::exp(-one.total / 6), 1e-9);
}

TEST(Infer, GibbsEqualsEnumeration) {
  const LdaModel model = small_model();
  const std::vector<std::uint32_t> document = {0, 1, 1, 2, 3, 0};
  const std::vector<double> exact = enumerate(model, document).theta;
  std::vector<double> theta(3);
  GibbsInferenceOptions options;
  options.samples = 60000;
  infer_by_gibbs(KnownDocument(model, document), options, Random(1), theta);
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(theta[k], exact[k], 0.005);
}

TEST(Infer, Cvb0IsAFixedPoint) {
  const LdaModel model = small_model();
  const std::vector<std::uint32_t> document = {0, 1, 1, 2, 3, 0};
  std::vector<double> theta(3), phi(3);
  Cvb0InferenceOptions options;
  options.tolerance = 1e-13;
  options.max_sweeps = 5000;
  ASSERT_TRUE(infer_by_cvb0(KnownDocument(model, document), options, theta));
  // Naively: all γ from the last ones, until nothing moves.
  std::vector<std::vector<double>> gamma(document.size(), std::vector<double>(3, 1.0 / 3));
  for (Index sweep = 0; sweep < 5000; ++sweep) {
    for (Index i = 0; i < document.size(); ++i) {
      model.word_probabilities(document[i], phi);
      std::vector<double> next(3);
      double total = 0;
      for (Index k = 0; k < 3; ++k) {
        double others = model.alpha()[k];
        for (Index j = 0; j < document.size(); ++j) others += j == i ? 0 : gamma[j][k];
        total += next[k] = phi[k] * others;
      }
      for (Index k = 0; k < 3; ++k) gamma[i][k] = next[k] / total;
    }
  }
  for (Index k = 0; k < 3; ++k) {
    double expected = model.alpha()[k];
    for (const auto& row : gamma) expected += row[k];
    EXPECT_NEAR(theta[k], expected / (6 + model.alpha_sum()), 1e-9);
  }
}

TEST(Infer, AnEmptyDocumentHasThePrior) {
  const LdaModel model = small_model();
  const TinyCorpus corpus = tiny_corpus({{}, {1}}, 4);
  for (const auto& mixtures : {infer_by_gibbs(model, corpus.documents(), {}, 2),
                               infer_by_cvb0(model, corpus.documents(), {}, 2)}) {
    ASSERT_EQ(mixtures.size(), 6U);
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(mixtures[k], model.alpha()[k] / 1.7, 1e-12);
    EXPECT_NEAR(mixtures[3] + mixtures[4] + mixtures[5], 1, 1e-12);
  }
}

}  // namespace
}  // namespace trellis::topics
