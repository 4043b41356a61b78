#include "trellis/learn/frame/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"

namespace trellis::testing {
namespace {

// D(a, b) as certificate.h defines it.
double bound_of(const std::vector<double>& a, double b, double lambda, double rho) {
  double excess = 0;
  for (const double x : a) excess += std::pow(std::max(std::abs(x) - rho, 0.0), 2);
  return b - excess / (2 * lambda);
}

std::vector<double> random_vector(Random& draw, Index size) {
  std::vector<double> x(size);
  for (double& value : x) value = draw.normal();
  return x;
}

TEST(Certificate, StartsAtTheTrivialBound) {
  EXPECT_EQ(Certificate(3, 0.1).bound(), 0);
}

TEST(Certificate, NegativePenaltiesAreRefused) {
  EXPECT_THROW(Certificate(3, -1), UsageError);
  EXPECT_THROW(Certificate(3, 1, -1), UsageError);
}

TEST(Certificate, TakesTheBestPointOfTheSegment) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random draw(seed);
    const double lambda = std::pow(10.0, -2 + 3 * draw.uniform());
    const double rho = seed % 2 == 0 ? 0 : draw.uniform();
    const std::vector<double> slope = random_vector(draw, 6);
    const double offset = 3 * draw.uniform();
    Certificate certificate(6, lambda, rho);
    certificate.add_cut(slope, offset);
    double best = 0;
    for (int k = 0; k <= 1000; ++k) {
      const double theta = k / 1000.0;
      std::vector<double> scaled = slope;
      for (double& value : scaled) value *= theta;
      best = std::max(best, bound_of(scaled, theta * offset, lambda, rho));
    }
    EXPECT_GE(certificate.bound(), best - 1e-12) << "seed " << seed;
    EXPECT_LE(certificate.bound(), best + 1e-5 * (1 + offset / lambda)) << "seed " << seed;
  }
}

TEST(Certificate, BoundOfManyCutsIsBelowEveryFunctionAboveThem) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random draw(seed);
    const double lambda = seed % 3 == 0 ? 0 : 0.3;
    const double rho = seed % 2 == 0 ? 0 : 0.4;
    // R(v) = max(0, max_k b_k + ⟨a_k, v⟩) has all of them as cuts.
    std::vector<std::vector<double>> slopes;
    std::vector<double> offsets;
    Certificate certificate(4, lambda, rho);
    double last = 0;
    for (int k = 0; k < 8; ++k) {
      slopes.push_back(random_vector(draw, 4));
      offsets.push_back(draw.normal() + 0.5);
      certificate.add_cut(slopes.back(), offsets.back());
      EXPECT_GE(certificate.bound(), last);
      last = certificate.bound();
    }
    for (int trial = 0; trial < 100; ++trial) {
      const std::vector<double> v = random_vector(draw, 4);
      double risk = 0;
      double penalty = 0;
      for (const double x : v) penalty += lambda / 2 * x * x + rho * std::abs(x);
      for (Index k = 0; k < slopes.size(); ++k) {
        double value = offsets[k];
        for (Index j = 0; j < 4; ++j) value += slopes[k][j] * v[j];
        risk = std::max(risk, value);
      }
      EXPECT_GE(risk + penalty, certificate.bound() - 1e-12);
    }
  }
}

// The same by definition, with some weights that must stay >= 0: per weight, the minimum of
// λ/2 x² + ρ|x| + a x over the allowed x, found on a fine grid.
double restricted_minimum(double slope, double lambda, double rho, bool nonnegative) {
  double best = 0;
  for (int k = -4000; k <= 4000; ++k) {
    const double x = k * 0.01;
    if (nonnegative && x < 0) continue;
    best = std::min(best, lambda / 2 * x * x + rho * std::abs(x) + slope * x);
  }
  return best;
}

TEST(Certificate, KnowsWhichWeightsMustStayNonNegative) {
  const std::vector<WeightRange> ranges = {{1, 3}, {5, 6}};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random draw(seed);
    const double lambda = 0.1 + draw.uniform();
    const double rho = seed % 2 == 0 ? 0 : 0.3 * draw.uniform();
    const std::vector<double> slope = random_vector(draw, 6);
    // So high that the whole cut is taken.
    const double offset = 100 / lambda;
    Certificate certificate(6, lambda, rho, ranges);
    certificate.add_cut(slope, offset);
    double expected = offset;
    for (Index j = 0; j < 6; ++j) {
      const bool nonnegative = (1 <= j && j < 3) || j == 5;
      expected += restricted_minimum(slope[j], lambda, rho, nonnegative);
    }
    EXPECT_NEAR(certificate.bound(), expected, 1e-4) << "seed " << seed;
  }
}

TEST(Certificate, OfRestrictedWeightsIsBelowEveryFunctionAboveTheCutsThere) {
  const std::vector<WeightRange> ranges = {{0, 2}, {3, 4}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random draw(seed);
    const double lambda = seed % 3 == 0 ? 0 : 0.3;
    const double rho = seed % 2 == 0 ? 0 : 0.4;
    std::vector<std::vector<double>> slopes;
    std::vector<double> offsets;
    Certificate restricted(4, lambda, rho, ranges);
    Certificate free(4, lambda, rho);
    double last = 0;
    for (int k = 0; k < 8; ++k) {
      slopes.push_back(random_vector(draw, 4));
      offsets.push_back(draw.normal() + 0.5);
      restricted.add_cut(slopes.back(), offsets.back());
      free.add_cut(slopes.back(), offsets.back());
      EXPECT_GE(restricted.bound(), last);
      last = restricted.bound();
    }
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<double> v = random_vector(draw, 4);
      for (const Index j : {Index{0}, Index{1}, Index{3}}) v[j] = std::abs(v[j]);
      double value = 0;
      for (Index k = 0; k < slopes.size(); ++k) {
        double cut = offsets[k];
        for (Index j = 0; j < 4; ++j) cut += slopes[k][j] * v[j];
        value = std::max(value, cut);
      }
      for (const double x : v) value += lambda / 2 * x * x + rho * std::abs(x);
      EXPECT_GE(value, restricted.bound() - 1e-12) << "seed " << seed;
    }
  }
}

TEST(Certificate, WithoutPenaltyASlopeThatPushesARestrictedWeightDownIsNoHindrance) {
  const std::vector<WeightRange> ranges = {{0, 1}};
  Certificate certificate(2, 0, 0, ranges);
  certificate.add_cut(std::vector<double>{-1, 0}, 5);
  EXPECT_EQ(certificate.bound(), 0);
  certificate.add_cut(std::vector<double>{3, 0}, 0.25);
  EXPECT_EQ(certificate.bound(), 0.25);
}

TEST(Certificate, WithoutAnyPenaltyOnlyConstantsCount) {
  Certificate certificate(2, 0);
  certificate.add_cut(std::vector<double>{1, 0}, 5);
  EXPECT_EQ(certificate.bound(), 0);
  certificate.add_cut(std::vector<double>{0, 0}, 0.25);
  EXPECT_EQ(certificate.bound(), 0.25);
}

TEST(Certificate, WithL1AloneACutIsScaledUntilItFits) {
  Certificate certificate(2, 0, 0.5);
  certificate.add_cut(std::vector<double>{2, -1}, 1);
  EXPECT_NEAR(certificate.bound(), 0.25, 1e-12);
}

TEST(Certify, GapOfOneTangentIsTheSquaredGradientOverTwoLambda) {
  const LeastSquaresOracle oracle(3, 8, 5);
  constexpr double kLambda = 0.2;
  // Near the optimum, where the tangent is better than anything between it and the trivial cut.
  std::vector<double> w = oracle.minimum(kLambda);
  Random draw(1);
  for (double& value : w) value += 1e-3 * draw.normal();
  std::vector<double> gradient(5);
  const auto scratch = oracle.make_scratch();
  for (Index i = 0; i < 8; ++i) oracle.accumulate(i, w, *scratch, gradient);
  double squared = 0;
  for (Index j = 0; j < 5; ++j) squared += std::pow(gradient[j] / 8 + kLambda * w[j], 2);

  Certificate certificate(5, kLambda);
  const Certified result = certify(oracle, w, kLambda, 0, 1, certificate);
  EXPECT_NEAR(result.objective - result.bound, squared / (2 * kLambda), 1e-12);
  EXPECT_NEAR(result.gap(), squared / (2 * kLambda) / result.objective, 1e-12);
  EXPECT_EQ(result.missed, 0);
  EXPECT_NEAR(result.objective, objective(oracle, w, kLambda), 1e-12);
}

TEST(Certify, SameBitsForAnyNumberOfThreads) {
  const ClassificationData data = ClassificationData::random(4, 200, 10, 4);
  const LogisticOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  Random draw(2);
  for (double& value : w) value = draw.normal();
  Certificate one(w.size(), 0.1, 0.01);
  const Certified expected = certify(oracle, w, 0.1, 0.01, 1, one);
  for (const int threads : {2, 3, 5}) {
    Certificate other(w.size(), 0.1, 0.01);
    const Certified found = certify(oracle, w, 0.1, 0.01, threads, other);
    EXPECT_EQ(found.objective, expected.objective);
    EXPECT_EQ(found.bound, expected.bound);
    EXPECT_EQ(found.missed, expected.missed);
  }
}

TEST(Certificate, IsTheSameAfterACheckpoint) {
  Random draw(6);
  Certificate certificate(3, 0.5);
  certificate.add_cut(random_vector(draw, 3), 2);
  Checkpoint checkpoint;
  certificate.save(checkpoint, "c");
  Certificate loaded(3, 0.5);
  loaded.load(checkpoint, "c");
  EXPECT_EQ(loaded.bound(), certificate.bound());
  const std::vector<double> next = random_vector(draw, 3);
  certificate.add_cut(next, 1.5);
  loaded.add_cut(next, 1.5);
  EXPECT_EQ(loaded.bound(), certificate.bound());
}

}  // namespace
}  // namespace trellis::testing
