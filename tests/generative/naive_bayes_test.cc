#include "trellis/generative/naive_bayes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

constexpr Index kLabels = 3;
constexpr Index kAttributes = 5;

// Six documents of three labels.
NaiveBayesCounts small_counts() {
  NaiveBayesCounts counts(kLabels, kAttributes);
  counts.add(0, std::vector<std::uint32_t>{0, 1}, std::vector<float>{2, 1});
  counts.add(0, std::vector<std::uint32_t>{0, 3}, {});
  counts.add(0, std::vector<std::uint32_t>{1}, std::vector<float>{4});
  counts.add(1, std::vector<std::uint32_t>{2, 3}, std::vector<float>{3, 1});
  counts.add(1, std::vector<std::uint32_t>{2}, std::vector<float>{0.5F});
  counts.add(2, {}, {});
  return counts;
}

TEST(NaiveBayes, EstimatesAreSmoothedFrequencies) {
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {0.5});
  // Label 0 has counts 3 5 0 1 0.
  EXPECT_NEAR(estimate.weights[0 * kLabels + 0], std::log(3.5 / 11.5), 1e-14);
  EXPECT_NEAR(estimate.weights[1 * kLabels + 0], std::log(5.5 / 11.5), 1e-14);
  EXPECT_NEAR(estimate.weights[4 * kLabels + 0], std::log(0.5 / 11.5), 1e-14);
  EXPECT_NEAR(estimate.weights[2 * kLabels + 1], std::log(4.0 / 7.0), 1e-14);
  EXPECT_NEAR(estimate.weights[2 * kLabels + 2], std::log(1.0 / 5.0), 1e-14);
  EXPECT_NEAR(estimate.bias[0], std::log(3.0 / 6.0), 1e-14);
  EXPECT_NEAR(estimate.bias[2], std::log(1.0 / 6.0), 1e-14);
}

TEST(NaiveBayes, ProbabilitiesOfWordsAddUpToOne) {
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {0.1});
  for (Index y = 0; y < kLabels; ++y) {
    double sum = 0;
    for (Index a = 0; a < kAttributes; ++a) sum += std::exp(estimate.weights[a * kLabels + y]);
    EXPECT_NEAR(sum, 1, 1e-13);
  }
}

// Q at other parameters, from its definition.
double objective(const NaiveBayesCounts& counts, double alpha, const std::vector<double>& theta,
                 const std::vector<double>& bias) {
  double sum = 0;
  double n = 0;
  for (Index y = 0; y < kLabels; ++y) {
    n += counts.examples(static_cast<Label>(y));
    sum -= counts.examples(static_cast<Label>(y)) * bias[y];
    for (Index a = 0; a < kAttributes; ++a) {
      sum -= (counts.row(a)[y] + alpha) * theta[a * kLabels + y];
    }
  }
  return sum / n;
}

TEST(NaiveBayes, NoOtherDistributionHasALowerObjective) {
  const NaiveBayesCounts counts = small_counts();
  const double alpha = 0.7;
  const NaiveBayesEstimate estimate = naive_bayes(counts, {alpha});
  EXPECT_NEAR(estimate.objective, objective(counts, alpha, estimate.weights, estimate.bias), 1e-12);
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> theta = estimate.weights;
    for (Index y = 0; y < kLabels; ++y) {
      double sum = 0;
      for (Index a = 0; a < kAttributes; ++a) {
        theta[a * kLabels + y] += 0.3 * random.normal();
        sum += std::exp(theta[a * kLabels + y]);
      }
      for (Index a = 0; a < kAttributes; ++a) theta[a * kLabels + y] -= std::log(sum);
    }
    EXPECT_GE(objective(counts, alpha, theta, estimate.bias), estimate.objective - 1e-12);
  }
}

TEST(NaiveBayes, TheComplementCountsWhatIsInTheOtherLabels) {
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {1, NaiveBayesKind::kComplement});
  // Label 0: the others have 0 0 3.5 1 0, 4.5 in all.
  std::vector<double> raw;
  double length = 0;
  for (const double count : {0.0, 0.0, 3.5, 1.0, 0.0}) {
    raw.push_back(-std::log((count + 1) / 9.5));
    length += std::abs(raw.back());
  }
  for (Index a = 0; a < kAttributes; ++a) {
    EXPECT_NEAR(estimate.weights[a * kLabels], raw[a] / length, 1e-14);
  }
  EXPECT_TRUE(std::isnan(estimate.objective));
}

// Six documents of three labels over four attributes, as sets of bits.
const std::vector<std::pair<Label, unsigned>> kBits = {{0, 0b1101}, {0, 0b1100}, {1, 0b1010},
                                                       {1, 0b0001}, {2, 0b0011}, {2, 0b0000}};

NaiveBayesCounts bit_counts(const std::vector<std::pair<Label, unsigned>>& documents) {
  NaiveBayesCounts counts(3, 4);
  for (const auto& [y, bits] : documents) {
    std::vector<std::uint32_t> attributes;
    for (std::uint32_t a = 0; a < 4; ++a) {
      if ((bits >> a & 1U) != 0) attributes.push_back(a);
    }
    counts.add(y, attributes, {});
  }
  return counts;
}

double linear_score(const NaiveBayesEstimate& estimate, Index y, unsigned bits) {
  double score = estimate.bias[y];
  for (Index a = 0; a < 4; ++a) score += (bits >> a & 1U) != 0 ? estimate.weights[a * 3 + y] : 0;
  return score;
}

TEST(NaiveBayes, BernoulliScoresAreJointLogProbabilities) {
  for (const double alpha : {1.0, 0.3}) {
    const NaiveBayesEstimate estimate =
        naive_bayes(bit_counts(kBits), {alpha, NaiveBayesKind::kBernoulli});
    double total = 0, objective = 0;
    for (Index y = 0; y < 3; ++y) {
      for (unsigned bits = 0; bits < 16; ++bits) {
        double expected = std::log(2.0 / 6);
        for (unsigned a = 0; a < 4; ++a) {
          double with = alpha;
          for (const auto& [label, other] : kBits) {
            if (static_cast<Index>(label) == y) with += other >> a & 1U;
          }
          const double p = with / (2 + 2 * alpha);
          expected += std::log((bits >> a & 1U) != 0 ? p : 1 - p);
          if (bits == 0) objective -= alpha * (std::log(p) + std::log(1 - p));
        }
        EXPECT_NEAR(linear_score(estimate, y, bits), expected, 1e-13);
        total += std::exp(expected);
      }
    }
    EXPECT_NEAR(total, 1, 1e-12);
    for (const auto& [label, bits] : kBits) {
      objective -= linear_score(estimate, static_cast<Index>(label), bits);
    }
    EXPECT_NEAR(estimate.objective, objective / 6, 1e-12);
  }
}

// sklearn.naive_bayes.BernoulliNB(alpha=a).fit(X, y).predict_joint_log_proba(Z), scikit-learn 1.7,
// X = 1011 0101 1100 0011 1000, y = 0 1 2 0 1, Z = 1101 0000 (attribute 0 first).
TEST(NaiveBayes, BernoulliAgreesWithScikitLearn) {
  const NaiveBayesCounts counts =
      bit_counts({{0, 0b1101}, {1, 0b1010}, {2, 0b0011}, {0, 0b1100}, {1, 0b0001}});
  const std::vector<std::pair<double, std::vector<double>>> expected = {
      {1.0,
       {-4.669708707125662, -3.283414346005772, -3.9244455254267034, -4.669708707125663,
        -3.283414346005772, -4.617592705986648}},
      {0.3,
       {-6.051008733233177, -3.1183345956463233, -3.9063324403405053, -6.051008733233176,
        -3.1183345956463233, -5.372669509133931}}};
  for (const auto& [alpha, scores] : expected) {
    const NaiveBayesEstimate estimate = naive_bayes(counts, {alpha, NaiveBayesKind::kBernoulli});
    for (Index y = 0; y < 3; ++y) {
      EXPECT_NEAR(linear_score(estimate, y, 0b1011), scores[y], 1e-12);
      EXPECT_NEAR(linear_score(estimate, y, 0b0000), scores[3 + y], 1e-12);
    }
  }
}

TEST(NaiveBayes, RefusesWhatHasNoEstimate) {
  EXPECT_THROW(naive_bayes(small_counts(), {0}), UsageError);
  EXPECT_THROW(naive_bayes(small_counts(), {-1}), UsageError);
  EXPECT_THROW(naive_bayes(NaiveBayesCounts(2, 3), {1}), UsageError);
  EXPECT_THROW(naive_bayes(small_counts(), {1, NaiveBayesKind::kBernoulli}), UsageError);
}

}  // namespace
}  // namespace trellis
