#include "trellis/topics/disclda/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

constexpr Index kClasses = 3;

// Labels drawn from p_ρ of random log-odds that grow with the length.
struct Drawn {
  std::vector<double> log_posterior;
  std::vector<Index> tokens;
  std::vector<std::uint32_t> labels;

  Drawn(double correlation, Index documents) {
    Random random(4);
    for (Index d = 0; d < documents; ++d) {
      tokens.push_back(random.below(300));
      const double length = static_cast<double>(tokens.back());
      std::vector<double> own(kClasses);
      for (double& value : own) value = 0.1 * length * random.normal() - 7 * length;
      log_posterior.insert(log_posterior.end(), own.begin(), own.end());
      calibrate(correlation, tokens.back(), own);
      double left = random.uniform();
      std::uint32_t label = 0;
      while (label + 1 < kClasses && (left -= std::exp(own[label])) >= 0) ++label;
      labels.push_back(label);
    }
  }
  CalibrationDocuments documents() const { return {kClasses, log_posterior, tokens, labels}; }
};

TEST(Calibration, IsTheLikeliestAndRecoversWhatLabelsWereDrawnBy) {
  for (const double correlation : {0.003, 0.07, 0.6}) {
    const Drawn drawn(correlation, 20000);
    const double found = fit_correlation(drawn.documents());
    EXPECT_NEAR(found / correlation, 1, 0.05);
    const double best = log_likelihood(drawn.documents(), found);
    for (const double factor : {0.1, 0.5, 0.9, 0.999, 1.001, 1.1, 1.5}) {
      EXPECT_GT(best, log_likelihood(drawn.documents(), factor * found)) << factor;
    }
    EXPECT_GT(best, log_likelihood(drawn.documents(), 0));
  }
}

TEST(Calibration, IsNoneWhereProbabilitiesAreNotTooSure) {
  const Drawn drawn(0, 3000);
  EXPECT_LT(fit_correlation(drawn.documents()), 1e-3);
  // No document is wrong.
  const std::vector<double> sure = {-0.1, -3, -4, -5, -0.01, -9};
  const std::vector<Index> tokens = {10, 100};
  const std::vector<std::uint32_t> labels = {0, 1};
  EXPECT_EQ(fit_correlation({kClasses, sure, tokens, labels}), 0);
}

TEST(Calibration, IsWholeWhereClassesAreWorseThanGuessed) {
  const std::vector<double> wrong = {-0.001, -10, -12};
  const std::vector<Index> tokens = {50};
  const std::vector<std::uint32_t> labels = {2};
  EXPECT_EQ(fit_correlation({kClasses, wrong, tokens, labels}), 1);
}

TEST(Calibration, KeepsTheOrderAndSumsToOne) {
  std::vector<double> log_p = {-1e5, -3e-6, -20};
  calibrate(0.1, 61, log_p);
  EXPECT_LT(log_p[0], log_p[2]);
  EXPECT_LT(log_p[2], log_p[1]);
  EXPECT_NEAR(log_p[2] - log_p[1], -20.0 / 7, 1e-5);
  EXPECT_NEAR(std::exp(log_p[0]) + std::exp(log_p[1]) + std::exp(log_p[2]), 1, 1e-14);
  // A token or none tells nothing of correlations.
  for (const Index tokens : {0, 1}) {
    std::vector<double> as_it_is = {std::log(0.25), std::log(0.75)};
    calibrate(1, tokens, as_it_is);
    EXPECT_NEAR(as_it_is[1], std::log(0.75), 1e-14);
  }
}

TEST(Calibration, RefusesWhatDoesNotFit) {
  const std::vector<double> row = {-1, -1, -1};
  const std::vector<Index> tokens = {4};
  const std::vector<std::uint32_t> labels = {0}, unknown = {3};
  EXPECT_THROW(fit_correlation({3, {}, {}, {}}), UsageError);
  EXPECT_THROW(fit_correlation({2, row, tokens, labels}), UsageError);
  EXPECT_THROW(fit_correlation({3, row, {}, labels}), UsageError);
  EXPECT_THROW(fit_correlation({3, row, tokens, unknown}), UsageError);
}

}  // namespace
}  // namespace trellis::topics
