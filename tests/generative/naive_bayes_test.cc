#include "trellis/generative/naive_bayes.h"

#include <gtest/gtest.h>

#include <cmath>
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
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {0.5, false});
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
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {0.1, false});
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
  const NaiveBayesEstimate estimate = naive_bayes(counts, {alpha, false});
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
  const NaiveBayesEstimate estimate = naive_bayes(small_counts(), {1, true});
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

TEST(NaiveBayes, RefusesWhatHasNoEstimate) {
  EXPECT_THROW(naive_bayes(small_counts(), {0, false}), UsageError);
  EXPECT_THROW(naive_bayes(small_counts(), {-1, false}), UsageError);
  EXPECT_THROW(naive_bayes(NaiveBayesCounts(2, 3), {1, false}), UsageError);
}

}  // namespace
}  // namespace trellis
