#include "trellis/topics/disclda/class_inference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/topics/disclda/disclda_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/topics/disclda/bridge_sampling.h"

namespace trellis::topics {
namespace {

struct Case {
  DiscLdaModel model;
  std::vector<std::uint32_t> document;
};
Case short_document(std::uint64_t seed, Index length = 6, double alpha = 0.4) {
  Random random(seed, 1);
  return {random_model(3, 4, 3, 6, alpha, seed), random_document(length, 6, random)};
}

ClassInferenceOptions sampling(Bridge bridge, BridgeTo to, Index samples) {
  ClassInferenceOptions options;
  options.method = ClassMethod::kSampling;
  options.bridge = bridge;
  options.bridge_to = to;
  options.samples = samples;
  return options;
}

TEST(BridgeSampling, NormalsOfKnownRatio) {
  // q_c = Z_c N(μ_c, 1), with Z_1 / Z_0 = e^4 and means ∓1.
  Random random(1);
  std::vector<double> of_zero, of_one;
  for (int i = 0; i < 40000; ++i) {
    of_zero.push_back(4 + 2 * (random.normal() - 1));
    of_one.push_back(4 + 2 * (random.normal() + 1));
  }
  of_one.resize(20000);  // unequal numbers of draws
  EXPECT_NEAR(geometric_bridge(of_zero, of_one), 4, 0.05);
  EXPECT_NEAR(optimal_bridge(of_zero, of_one), 4, 0.05);
}

TEST(BridgeSampling, OptimalBridgeIsMengAndWongsFixedPoint) {
  Random random(2);
  std::vector<double> of_zero(30), of_one(70);
  for (double& x : of_zero) x = 3 * random.normal() - 2;
  for (double& x : of_one) x = 2 * random.normal() + 5;
  double ratio = 1;
  for (int iteration = 0; iteration < 5000; ++iteration) {
    double above = 0, below = 0;
    for (const double x : of_zero) above += std::exp(x) / (0.7 * std::exp(x) + 0.3 * ratio) / 30;
    for (const double x : of_one) below += 1 / (0.7 * std::exp(x) + 0.3 * ratio) / 70;
    ratio = above / below;
  }
  EXPECT_NEAR(optimal_bridge(of_zero, of_one), std::log(ratio), 1e-9);
}

TEST(BridgeSampling, HugeRatiosStayFinite) {
  const std::vector<double> of_zero = {-1e6, -1.1e6}, of_one = {1e6, 2e6, 1.5e6};
  EXPECT_TRUE(std::isfinite(geometric_bridge(of_zero, of_one)));
  EXPECT_TRUE(std::isfinite(optimal_bridge(of_zero, of_one)));
  EXPECT_NEAR(harmonic_mean(std::vector{-1e6, -1e6 + 1}), -1e6 - std::log((1 + std::exp(-1)) / 2),
              1e-6);
  // All draws agree: so does the estimate.
  const std::vector<double> same = {7, 7};
  EXPECT_NEAR(geometric_bridge(same, same), 7, 1e-12);
  EXPECT_NEAR(optimal_bridge(same, same), 7, 1e-12);
}

TEST(ClassInference, BridgesEqualEnumeration) {
  ClassInference inference;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Case c = short_document(seed);
    const std::vector<double> expected = enumerate_posterior(c.model, c.document);
    for (const Bridge bridge : {Bridge::kGeometric, Bridge::kOptimal, Bridge::kHarmonic}) {
      for (const BridgeTo to : {BridgeTo::kReferenceClass, BridgeTo::kVariational}) {
        inference.read(c.model, c.document, sampling(bridge, to, 8000), seed, 0);
        const double tolerance = bridge == Bridge::kHarmonic ? 0.05 : 0.012;
        for (Index y = 0; y < expected.size(); ++y) {
          EXPECT_NEAR(inference.posterior()[y], expected[y], tolerance)
              << "bridge " << int(bridge) << " to " << int(to) << " seed " << seed;
        }
      }
    }
  }
}

TEST(ClassInference, EvidenceByTheVariationalBridgeIsAbsolute) {
  ClassInference inference;
  const Case c = short_document(9);
  inference.read(c.model, c.document, sampling(Bridge::kOptimal, BridgeTo::kVariational, 30000), 0,
                 0);
  for (Index y = 0; y < 3; ++y) {
    EXPECT_NEAR(inference.log_evidence()[y],
                std::log(enumerate_class(c.model, c.document, y).evidence), 0.02);
  }
}

TEST(ClassInference, OccupancyAndRepresentationEqualEnumeration) {
  ClassInference inference;
  const Case c = short_document(11);
  inference.read(c.model, c.document, sampling(Bridge::kOptimal, BridgeTo::kVariational, 20000), 0,
                 0);
  const std::vector<double> posterior = enumerate_posterior(c.model, c.document);
  const Index topics = c.model.topics.num_topics(), components = 3;
  std::vector<double> expected(topics, 0.0), transformed(topics), actual(topics);
  for (Index y = 0; y < 3; ++y) {
    const EnumeratedClass exact = enumerate_class(c.model, c.document, y);
    std::vector<double> theta(components, c.model.alpha);
    std::vector<double> of_word(inference.document().words().size() * components, 0.0);
    for (Index i = 0; i < c.document.size(); ++i) {
      for (Index l = 0; l < components; ++l) {
        theta[l] += exact.occupancy[i * components + l];
        of_word[inference.document().tokens()[i] * components + l] +=
            exact.occupancy[i * components + l];
      }
    }
    for (Index w = 0; w < inference.document().words().size(); ++w) {
      for (Index l = 0; l < components; ++l) {
        EXPECT_NEAR(inference.occupancy(y, w)[l], of_word[w * components + l], 0.03);
      }
    }
    for (double& value : theta) value /= c.model.alpha * 3 + 6;
    c.model.transformation.apply(y, theta, transformed);
    for (Index k = 0; k < topics; ++k) expected[k] += posterior[y] * transformed[k];
  }
  inference.representation(c.model, actual);
  for (Index k = 0; k < topics; ++k) EXPECT_NEAR(actual[k], expected[k], 0.01);
  EXPECT_NEAR(std::accumulate(actual.begin(), actual.end(), 0.0), 1, 1e-9);
}

TEST(ClassInference, MeanFieldIsABoundAndTheFilterIsNearTheTruth) {
  ClassInference inference;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Case c = short_document(seed, 1 + seed % 7, seed % 2 == 0 ? 0.1 : 1);
    for (Index y = 0; y < 3; ++y) {
      const double exact = std::log(enumerate_class(c.model, c.document, y).evidence);
      ClassInferenceOptions options;
      options.method = ClassMethod::kMeanField;
      inference.read(c.model, c.document, options, 0, 0);
      EXPECT_LE(inference.log_evidence()[y], exact + 1e-12);
      options.method = ClassMethod::kCollapsed;
      inference.read(c.model, c.document, options, 0, 0);
      EXPECT_NEAR(inference.log_evidence()[y], exact, c.document.size() <= 2 ? 1e-12 : 0.15);
    }
  }
}

TEST(ClassInference, MeanFieldRisesWithEverySweep) {
  const Case c = short_document(5, 30);
  DocumentTables tables;
  tables.read(c.model, c.document);
  ClassVariational variational;
  double last = -kInfinity;
  for (Index sweeps = 1; sweeps < 30; ++sweeps) {
    const double value = variational.fit_mean_field(tables, 1, c.model.alpha, 3,
                                                    {.max_sweeps = sweeps, .tolerance = 0});
    EXPECT_GE(value, last - 1e-11);
    last = value;
  }
}

TEST(ClassInference, FilteredComponentsAreNearTheTruth) {
  ClassInference inference;
  double mean = 0;  // error of the tokens of a component, of six
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c = short_document(seed);
    inference.read(c.model, c.document, {}, 0, 0);
    for (Index y = 0; y < 3; ++y) {
      std::vector<double> counts(3, 0.0), expected(3, 0.0);
      const EnumeratedClass exact = enumerate_class(c.model, c.document, y);
      for (Index i = 0; i < exact.occupancy.size(); ++i) expected[i % 3] += exact.occupancy[i];
      for (Index w = 0; w < inference.document().words().size(); ++w) {
        const auto of_word = inference.occupancy(y, w);
        EXPECT_NEAR(of_word[0] + of_word[1] + of_word[2], inference.document().times()[w], 1e-12);
        for (Index l = 0; l < 3; ++l) counts[l] += of_word[l];
      }
      for (Index l = 0; l < 3; ++l) {
        EXPECT_NEAR(counts[l], expected[l], 0.3);
        mean += std::abs(counts[l] - expected[l]) / 90;
      }
    }
  }
  EXPECT_LT(mean, 0.08);
}

TEST(ClassInference, AnEmptyDocumentHasThePrior) {
  ClassInference inference;
  const DiscLdaModel model = random_model(3, 4, 3, 6, 0.5, 2);
  const std::vector<double> expected = enumerate_posterior(model, {});
  for (const ClassMethod method :
       {ClassMethod::kMeanField, ClassMethod::kCollapsed, ClassMethod::kSampling}) {
    ClassInferenceOptions options;
    options.method = method;
    inference.read(model, {}, options, 0, 0);
    std::vector<double> mixture(4);
    inference.representation(model, mixture);
    for (Index y = 0; y < 3; ++y) EXPECT_NEAR(inference.posterior()[y], expected[y], 1e-12);
    EXPECT_NEAR(std::accumulate(mixture.begin(), mixture.end(), 0.0), 1, 1e-12);
  }
}

TEST(ClassInference, RepresentationsAreDistributions) {
  ClassInference inference;
  std::vector<double> mixture(4);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    // Little smoothing: where the filter's occupancies leave [0, 1] most.
    const DiscLdaModel model = random_model(3, 4, 3, 6, 0.01, seed);
    Random random(seed, 7);
    std::vector<std::uint32_t> document;
    for (int i = 0; i < 20; ++i) document.push_back(static_cast<std::uint32_t>(random.below(6)));
    inference.read(model, document, ClassInferenceOptions(), 0, 0);
    inference.representation(model, mixture);
    for (const double share : mixture) EXPECT_GE(share, 0);
    EXPECT_NEAR(std::accumulate(mixture.begin(), mixture.end(), 0.0), 1, 1e-12);
  }
}

TEST(ClassInference, PredictionsHaveTheSameBitsForAnyNumberOfThreads) {
  const DiscLdaModel model = random_model(2, 5, 3, 20, 0.3, 4);
  LabelledCorpus corpus;
  corpus.num_words = 20;
  Random random(6);
  for (int d = 0; d < 20; ++d) corpus.add(random_document(random.below(30), 20, random), 0);
  const auto options = sampling(Bridge::kOptimal, BridgeTo::kReferenceClass, 20);
  const auto once = predict(model, corpus.documents(), options, 1);
  for (const int threads : {2, 3}) {
    const auto again = predict(model, corpus.documents(), options, threads);
    EXPECT_EQ(once.posteriors, again.posteriors);
    EXPECT_EQ(once.representations, again.representations);
  }
}

TEST(ClassInference, PredictionsOfSeveralModelsAreTheirMeans) {
  const std::vector<DiscLdaModel> models = {random_model(2, 5, 3, 20, 0.3, 4),
                                            random_model(2, 5, 3, 20, 0.3, 5)};
  LabelledCorpus corpus;
  corpus.num_words = 20;
  Random random(6);
  for (int d = 0; d < 5; ++d) corpus.add(random_document(10, 20, random), 0);
  const auto both = predict(models, corpus.documents(), {}, 1);
  const auto first = predict(models[0], corpus.documents(), {}, 1);
  const auto second = predict(models[1], corpus.documents(), {}, 1);
  for (Index i = 0; i < both.posteriors.size(); ++i) {
    EXPECT_NEAR(both.posteriors[i], (first.posteriors[i] + second.posteriors[i]) / 2, 1e-14);
  }
  for (Index i = 0; i < both.representations.size(); ++i) {
    EXPECT_NEAR(both.representations[i], (first.representations[i] + second.representations[i]) / 2,
                1e-14);
  }
  EXPECT_THROW(predict(std::span<const DiscLdaModel>(), corpus.documents(), {}, 1), UsageError);
  const std::vector<DiscLdaModel> others = {models[0], random_model(3, 5, 3, 20, 0.3, 4)};
  EXPECT_THROW(predict(others, corpus.documents(), {}, 1), UsageError);
}

TEST(ClassInference, RefusesWordsAndModelsThatDoNotFit) {
  DiscLdaModel model = random_model(2, 4, 3, 6, 0.5, 2);
  ClassInference inference;
  EXPECT_THROW(inference.read(model, std::vector<std::uint32_t>{6}, {}, 0, 0), UsageError);
  ClassInferenceOptions none;
  none.samples = 0;
  EXPECT_THROW(inference.read(model, {}, none, 0, 0), UsageError);
  model.log_prior.pop_back();
  EXPECT_THROW(model.check(), UsageError);
  model.log_prior.push_back(-kInfinity);
  EXPECT_THROW(model.check(), UsageError);
  EXPECT_THROW(log_prior_of(std::vector<std::uint32_t>{0, 2}, 2), UsageError);
  const auto prior = log_prior_of(std::vector<std::uint32_t>{0, 0}, 2);  // a class with no document
  EXPECT_NEAR(std::exp(prior[0]), 0.75, 1e-14);
  EXPECT_NEAR(std::exp(prior[1]), 0.25, 1e-14);
  EXPECT_THROW(KnownTopics(2, 0, {0, 1}, {{0, 1.0}}), UsageError);
  EXPECT_THROW(KnownTopics(2, 0.1, {0, 1}, {{2, 1.0}}), UsageError);
  EXPECT_THROW(KnownTopics(2, 0.1, {0, 2}, {{0, 1.0}}), UsageError);
}

}  // namespace
}  // namespace trellis::topics
