#include "trellis/solve/matchings/matching_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/matchings/permanent.h"

namespace trellis {
namespace {

double h(double r) {
  constexpr double e = std::numbers::e;
  return r >= 1 ? r + 0.5 * std::log(r) + e - 1 : 1 + (e - 1) * r;
}

// In (0, 1], some very small.
std::vector<double> random_entries(Index n, Random& random) {
  const double size = static_cast<double>(random.below(5));
  std::vector<double> a(n * n);
  for (double& x : a) x = std::exp(-size * std::abs(random.normal()));
  return a;
}

double log_permanent(Index n, const std::vector<double>& a) {
  std::vector<double> s;
  for (const double x : a) s.push_back(std::log(x));
  PermanentSums sums;
  return sums.log_sum(n, s);
}

// ln h(t + x) − ln h(t) ≥ x / h(t) for 0 ≤ x ≤ 1: ln h is concave, as h is linear and then concave
// with a smaller slope, so the left side less the right one is concave in x; it is 0 at x = 0, and
// ≥ 0 at x = 1, which is what a grid can show.
TEST(MatchingBound, HuberLawFactorsFallFastEnoughToNest) {
  for (double t = 0; t < 2000; t += t < 3 ? 1e-4 : 0.01 * t) {
    EXPECT_GE(std::log(h(t + 1)) - std::log(h(t)) - 1 / h(t), -1e-14) << t;
  }
  Random random(1);
  for (int k = 0; k < 10000; ++k) {
    const double t = 3 * random.uniform(), x = random.uniform();
    EXPECT_GE(std::log(h(t + x)) - std::log(h(t)) - x / h(t), -1e-14);
  }
}

TEST(MatchingBound, BoundsAreAboveThePermanentAndSoulesBelowHuberAndLaw) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + random.below(9);
    const std::vector<double> a = random_entries(n, random);
    BoundedMatrix huber_law, soules;
    huber_law.assign(MatchingBound::kHuberLaw, n, a);
    soules.assign(MatchingBound::kSoules, n, a);
    const double truth = log_permanent(n, a);
    EXPECT_LE(soules.log_bound(), huber_law.log_bound() + 1e-12);
    for (BoundedMatrix* matrix : {&huber_law, &soules}) {
      const double plain = matrix->log_bound();
      EXPECT_GE(plain, truth - 1e-10);
      matrix->improve_scaling(25);
      EXPECT_LE(matrix->log_bound(), plain + 1e-12);
      EXPECT_GE(matrix->log_bound(), truth - 1e-10);
    }
  }
}

TEST(MatchingBound, IsTightForAllOnesAndForOnePermutation) {
  for (const Index n : std::initializer_list<Index>{1, 4, 9}) {
    BoundedMatrix matrix;
    matrix.assign(MatchingBound::kSoules, n, std::vector<double>(n * n, 1.0));
    EXPECT_NEAR(matrix.log_bound(), std::lgamma(static_cast<double>(n) + 1), 1e-12);
    std::vector<double> identity(n * n, 0.0);
    for (Index i = 0; i < n; ++i) identity[i * n + i] = 1;
    for (const MatchingBound bound : {MatchingBound::kHuberLaw, MatchingBound::kSoules}) {
      matrix.assign(bound, n, identity);
      EXPECT_NEAR(matrix.log_bound(), 0, 1e-12);
    }
  }
}

// A split's weights are the bounds of what is left, over that of the whole.
TEST(MatchingBound, SplitsAddUpToNoMoreThanTheWhole) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const MatchingBound bound = trial % 2 == 0 ? MatchingBound::kHuberLaw : MatchingBound::kSoules;
    const Index n = 1 + random.below(8);
    BoundedMatrix matrix, rest;
    matrix.assign(bound, n, random_entries(n, random));
    if (random.below(2) == 0) matrix.improve_scaling(10);
    std::vector<double> weights;
    while (matrix.size() > 0) {
      const BoundedMatrix::Split split = matrix.split(weights);
      EXPECT_LE(split.total, 1 + 1e-12);
      double sum = 0;
      for (Index k = 0; k < matrix.size(); ++k) {
        rest.assign_without(matrix, k, split.column);
        EXPECT_NEAR(rest.log_bound() - matrix.log_bound(), std::log(weights[k]), 1e-9);
        sum += weights[k];
      }
      EXPECT_NEAR(sum, split.total, 1e-12);
      rest.assign_without(matrix, random.below(matrix.size()), split.column);
      std::swap(matrix, rest);
    }
    EXPECT_EQ(matrix.size(), 0u);
  }
}

TEST(MatchingBound, RowsAndColumnsKeepTheirNumbers) {
  BoundedMatrix whole, part, smaller;
  whole.assign(MatchingBound::kSoules, 4, std::vector<double>(16, 0.5));
  part.assign_without(whole, 1, 3);
  smaller.assign_without(part, 2, 0);
  EXPECT_EQ(smaller.size(), 2u);
  EXPECT_EQ(smaller.row(0), 0u);
  EXPECT_EQ(smaller.row(1), 2u);
  EXPECT_EQ(smaller.column(0), 1u);
  EXPECT_EQ(smaller.column(1), 2u);
  // The pairs that were taken out are in the bound, and 2! of 0.5² are left.
  EXPECT_NEAR(smaller.log_bound(), std::log(2.0) + 4 * std::log(0.5), 1e-12);
}

}  // namespace
}  // namespace trellis
