#include "trellis/learn/saddle_point/projected_gradient.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/learn/saddle_point/saddle_learners.h"
#include "tests/learn/saddle_point/simplex_oracle.h"
#include "trellis/base/error.h"

namespace trellis::testing::projected_gradient_test {
namespace {

std::vector<ProjectedGradientOptions> regularisers() {
  ProjectedGradientOptions penalty;
  penalty.lambda = 0.05;
  ProjectedGradientOptions euclidean;
  euclidean.ball = WeightBall::kEuclidean;
  euclidean.radius = 0.5;
  ProjectedGradientOptions l1;
  l1.ball = WeightBall::kL1;
  l1.radius = 0.7;
  return {penalty, euclidean, l1};
}

SimplexOracle noisy_problem() {
  SimplexOracleOptions options;
  options.num_examples = 40;
  options.noise = 2;
  options.nonnegative = {{1, 3}};
  return SimplexOracle(options, 5);
}

SaddleLearner learner_of(const EuclideanPartOracle& oracle,
                         const ProjectedGradientOptions& options) {
  return [&oracle, options](std::span<double> w, const LearnControl& control) {
    return projected_gradient(oracle, options, w, control);
  };
}

TEST(ProjectedGradient, AverageComesCloseToTheSaddlePoint) {
  const SimplexOracle oracle = noisy_problem();
  for (ProjectedGradientOptions options : regularisers()) {
    SCOPED_TRACE(options.identity());
    options.max_iterations = 2000;
    options.step_scale = 0.2;
    const RunResult result = run_saddle(learner_of(oracle, options), oracle.dimension(), {});
    EXPECT_LT(result.summary.gap(), 0.1);
    expect_duality_gap(oracle, options, result);
    for (Index j = 1; j < 3; ++j) EXPECT_GE(result.w[j], 0);
    for (const std::vector<double>& point : points_of(oracle, options, result.w)) {
      EXPECT_LE(result.summary.bound, objective_at(oracle, options.lambda, point) + 1e-12);
    }
  }
}

TEST(ProjectedGradient, ThreadsAndInterruptionsDoNotChangeABit) {
  const SimplexOracle oracle = noisy_problem();
  for (ProjectedGradientOptions options : regularisers()) {
    options.max_iterations = 25;
    const SaddleLearner learner = learner_of(oracle, options);
    LearnControl control;
    const RunResult one = run_saddle(learner, oracle.dimension(), control);
    control.threads = 3;
    expect_same_bits(one, run_saddle(learner, oracle.dimension(), control));
    expect_same_bits(one, run_interrupted(learner, oracle.dimension(), 4));
  }
}

TEST(ProjectedGradient, RefusesWhatDoesNotFit) {
  const SimplexOracle oracle = noisy_problem();
  std::vector<double> w(oracle.dimension());
  ProjectedGradientOptions options;
  options.lambda = -1;
  EXPECT_THROW(projected_gradient(oracle, options, w), UsageError);
  options.lambda = 1;
  options.step_scale = 0;
  EXPECT_THROW(projected_gradient(oracle, options, w), UsageError);
  options.step_scale = 1;
  w.pop_back();
  EXPECT_THROW(projected_gradient(oracle, options, w), UsageError);
}

TEST(WeightSet, ProjectsOntoTheBallInTheOneNorm) {
  const SimplexOracle oracle(SimplexOracleOptions{.nonnegative = {{4, 6}}}, 1);
  WeightBallOptions options;
  options.ball = WeightBall::kL1;
  options.radius = 2;
  std::vector<double> w = {3, -2, 0.5, 0, -5, 1};
  WeightSet(oracle, options).project(w);
  // |w| − τ sums to 2 over {3, 2}: τ = 1.5
  const std::vector<double> expected = {1.5, -0.5, 0, 0, 0, 0};
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], expected[j], 1e-12);
}

TEST(WeightSet, MinimumIsReachedWithinTheSet) {
  const SimplexOracle oracle(SimplexOracleOptions{.nonnegative = {{0, 2}}}, 1);
  const std::vector<double> g = {1, -2, 0.5, -0.25, 0, 3};
  for (const ProjectedGradientOptions& options : regularisers()) {
    const WeightSet set(oracle, options);
    std::vector<double> spent = g;
    const double minimum = set.minimum(spent);
    double best = 0;
    const double lambda_n = options.lambda * static_cast<double>(oracle.num_examples());
    for (std::uint64_t k = 0; k < 20000; ++k) {
      Random random(3, k);
      std::vector<double> w(g.size());
      for (Index j = 0; j < g.size(); ++j) w[j] = -4 * g[j] * random.uniform() * random.uniform();
      set.project(w);
      const double value = dot(g, w) + lambda_n / 2 * squared_norm(w);
      EXPECT_GE(value, minimum - 1e-12);
      best = std::min(best, value);
    }
    EXPECT_NEAR(best, minimum, 0.05 * std::abs(minimum));
  }
}

}  // namespace
}  // namespace trellis::testing::projected_gradient_test
