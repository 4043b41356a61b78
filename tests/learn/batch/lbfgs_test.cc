#include "trellis/learn/batch/lbfgs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "tests/problem/chain/random_chains.h"
#include "trellis/base/error.h"
#include "trellis/problem/partial_problem.h"

namespace trellis::testing {
namespace {

LbfgsOptions exact(double lambda, double rho = 0) {
  LbfgsOptions options;
  options.lambda = lambda;
  options.rho = rho;
  options.epsilon = 1e-8;
  options.delta = 0;
  return options;
}

// The gradient of λ/2 ‖w‖² + R(w).
std::vector<double> smooth_gradient(const Oracle& oracle, std::span<const double> w,
                                    double lambda) {
  std::vector<double> gradient(w.size());
  const auto scratch = oracle.make_scratch();
  for (Index i = 0; i < oracle.num_examples(); ++i) oracle.accumulate(i, w, *scratch, gradient);
  for (Index j = 0; j < w.size(); ++j) {
    gradient[j] = gradient[j] / static_cast<double>(oracle.num_examples()) + lambda * w[j];
  }
  return gradient;
}

TEST(Lbfgs, FindsTheMinimumOfLeastSquares) {
  for (const Index dimension : {Index{1}, Index{3}, Index{12}, Index{24}}) {
    const LeastSquaresOracle oracle(4, 30, dimension);
    std::vector<double> w(dimension);
    const LearnSummary summary = lbfgs(oracle, exact(0.01), w);
    EXPECT_EQ(summary.termination, Termination::kConverged);
    const std::vector<double> minimum = oracle.minimum(0.01);
    for (Index j = 0; j < dimension; ++j) EXPECT_NEAR(w[j], minimum[j], 1e-6);
  }
}

TEST(Lbfgs, OneIterationIsNearlyAlwaysOnePass) {
  const ClassificationData data = ClassificationData::random(1, 200, 15, 4);
  const LogisticOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = lbfgs(oracle, exact(1e-3), w);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  Index passes = 0;
  for (const EpochRecord& record : summary.history) passes += record.passes;
  EXPECT_LE(passes, summary.epochs + summary.epochs / 5 + 4);
}

TEST(Lbfgs, ObjectiveNeverRises) {
  const ClassificationData data = ClassificationData::random(2, 60, 8, 3);
  const LogisticOracle oracle(data);
  for (const double rho : {0.0, 0.01}) {
    std::vector<double> w(oracle.dimension());
    const LearnSummary summary = lbfgs(oracle, exact(1e-3, rho), w);
    for (Index k = 1; k < summary.history.size(); ++k) {
      EXPECT_LE(summary.history[k].objective, summary.history[k - 1].objective + 1e-14);
    }
  }
}

TEST(Lbfgs, StopsByTheRelativeDecreaseOverAPeriod) {
  const ClassificationData data = ClassificationData::random(3, 60, 8, 3);
  const LogisticOracle oracle(data);
  LbfgsOptions options;
  options.lambda = 1e-3;
  options.epsilon = 0;
  options.delta = 1e-2;
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = lbfgs(oracle, options, w);
  ASSERT_EQ(summary.termination, Termination::kConverged);
  const auto fell_by = [&](Index k) {
    return (summary.history[k - 10].objective - summary.history[k].objective) /
           summary.history[k].objective;
  };
  ASSERT_GT(summary.history.size(), 10U);
  const Index last = summary.history.size() - 1;
  EXPECT_LT(fell_by(last), 1e-2);
  for (Index k = 10; k < last; ++k) EXPECT_GE(fell_by(k), 1e-2);
}

// Of two rules the stricter goes on where the other stops, along the same way, and to a lower
// objective.
RC_GTEST_PROP(Lbfgs, AStricterRuleOnlyGoesOn, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const ClassificationData data = ClassificationData::random(seed, 40, 6, 3);
  const LogisticOracle oracle(data);
  LbfgsOptions options;
  options.lambda = *rc::gen::element(1e-1, 1e-2, 1e-3);
  options.epsilon = 0;
  options.delta = *rc::gen::element(1e-1, 1e-2, 1e-3);
  std::vector<double> loose_w(oracle.dimension()), strict_w = loose_w;
  const LearnSummary loose = lbfgs(oracle, options, loose_w);
  options.delta /= *rc::gen::element(2.0, 10.0, 100.0);
  const LearnSummary strict = lbfgs(oracle, options, strict_w);
  RC_ASSERT(loose.termination == Termination::kConverged);
  RC_ASSERT(loose.epochs >= 10U);
  RC_ASSERT(strict.epochs >= loose.epochs);
  for (Index k = 0; k < loose.epochs; ++k) {
    RC_ASSERT(strict.history[k].objective == loose.history[k].objective);
  }
  // At the optimum a step may round upwards.
  RC_ASSERT(strict.objective <= loose.objective * (1 + 1e-12));
}

std::vector<double> probabilities(const ClassificationData& data, Index i,
                                  std::span<const double> w) {
  std::vector<double> p;
  data.scores(data.examples[i], w, p);
  double sum = 0;
  for (double& s : p) sum += s = std::exp(s);
  for (double& s : p) s /= sum;
  return p;
}

// Why a run may end by the decrease of its objective: what is left of it is the mean divergence of
// the predictions at the optimum from those now, and the distance of the weights.
RC_GTEST_PROP(Lbfgs, WhatIsLeftOfALogLossIsWhatPredictionsCanStillChange, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const ClassificationData data = ClassificationData::random(seed, 40, 6, 3);
  const LogisticOracle oracle(data);
  const double lambda = *rc::gen::element(1e-1, 1e-2);
  std::vector<double> optimum(oracle.dimension()), w = optimum;
  lbfgs(oracle, exact(lambda), optimum);
  LbfgsOptions early = exact(lambda);
  early.max_iterations = *rc::gen::inRange<Index>(1, 15);
  lbfgs(oracle, early, w);
  double left = 0;
  for (Index j = 0; j < w.size(); ++j) left += lambda / 2 * std::pow(w[j] - optimum[j], 2);
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    const std::vector<double> now = probabilities(data, i, w);
    const std::vector<double> then = probabilities(data, i, optimum);
    for (Index y = 0; y < now.size(); ++y) {
      left += then[y] * std::log(then[y] / now[y]) / static_cast<double>(oracle.num_examples());
    }
  }
  // Up to ⟨∇P, w − w*⟩ at a gradient that is nearly 0.
  const double fall = objective(oracle, w, lambda) - objective(oracle, optimum, lambda);
  RC_ASSERT(std::abs(fall - left) < 1e-7);
}

TEST(Lbfgs, FromTheMinimumThereIsNothingToDo) {
  const LeastSquaresOracle oracle(4, 10, 3);
  std::vector<double> w = oracle.minimum(0.1);
  const std::vector<double> start = w;
  LearnControl control;
  control.certify = true;
  LbfgsOptions options = exact(0.1);
  options.epsilon = 1e-6;
  const LearnSummary summary = lbfgs(oracle, options, w, control);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_EQ(summary.epochs, 0U);
  EXPECT_EQ(w, start);
  EXPECT_NEAR(summary.objective, objective(oracle, w, 0.1), 1e-12);
  EXPECT_LT(summary.gap(), 1e-9);
}

TEST(Lbfgs, StallsRatherThanLoopsWhenAskedForTheImpossible) {
  const ClassificationData data = ClassificationData::random(3, 40, 6, 3);
  const LogisticOracle oracle(data);
  LbfgsOptions options = exact(1e-2);
  options.epsilon = 0;
  options.max_iterations = 100000;
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = lbfgs(oracle, options, w);
  EXPECT_NE(summary.termination, Termination::kMaxEpochs);
  for (const double g : smooth_gradient(oracle, w, 1e-2)) EXPECT_NEAR(g, 0, 1e-7);
}

TEST(OwlQn, SatisfiesTheSubgradientConditionsWithExactZeros) {
  const ClassificationData data = ClassificationData::random(5, 80, 10, 3);
  const LogisticOracle oracle(data);
  for (const double lambda : {0.0, 0.01}) {
    constexpr double kRho = 0.03;
    std::vector<double> w(oracle.dimension());
    LbfgsOptions options = exact(lambda, kRho);
    options.epsilon = 1e-5;
    options.max_iterations = 5000;
    const LearnSummary summary = lbfgs(oracle, options, w);
    EXPECT_EQ(summary.termination, Termination::kConverged);
    const std::vector<double> gradient = smooth_gradient(oracle, w, lambda);
    Index zeros = 0;
    for (Index j = 0; j < w.size(); ++j) {
      if (w[j] == 0) {
        ++zeros;
        EXPECT_LE(std::abs(gradient[j]), kRho + 1e-6);
      } else {
        EXPECT_NEAR(gradient[j], -std::copysign(kRho, w[j]), 1e-6);
      }
    }
    EXPECT_GT(zeros, w.size() / 5);
    EXPECT_LT(zeros, w.size());
  }
}

TEST(OwlQn, LeavesAllWeightsAtZeroWhenThePenaltyIsLarge) {
  const ClassificationData data = ClassificationData::random(5, 30, 4, 3);
  const LogisticOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = lbfgs(oracle, exact(0, 100), w);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  for (const double weight : w) EXPECT_EQ(weight, 0);
}

TEST(Lbfgs, FindsAStationaryPointOfPartiallyLabelledChainsAndCertifiesNothing) {
  RandomChainOptions chains_options;
  chains_options.partial = true;
  chains_options.num_examples = 10;
  const RandomChains chains(chains_options, 3);
  const PartialProblem<ChainModel> problem(chains.model());
  std::vector<double> w(problem.dimension());
  LbfgsOptions options = exact(0.1);
  options.epsilon = 1e-6;
  LearnControl control;
  const LearnSummary summary = lbfgs(problem, options, w, control);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_TRUE(std::isnan(summary.bound));
  for (const double g : smooth_gradient(problem, w, 0.1)) EXPECT_NEAR(g, 0, 1e-6);
  control.certify = true;
  EXPECT_THROW(lbfgs(problem, options, w, control), UsageError);
}

TEST(Lbfgs, RefusesOptionsThatDoNotFit) {
  const LeastSquaresOracle oracle(4, 3, 2);
  std::vector<double> w(2);
  LbfgsOptions options;
  options.lambda = -1;
  EXPECT_THROW(lbfgs(oracle, options, w), UsageError);
  options = {};
  options.rho = -1;
  EXPECT_THROW(lbfgs(oracle, options, w), UsageError);
}

}  // namespace
}  // namespace trellis::testing
