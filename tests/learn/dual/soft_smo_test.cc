#include "trellis/learn/dual/soft_smo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/learn/label_data.h"
#include "tests/learn/run_result.h"
#include "tests/learn/stopping_label_oracle.h"
#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing::soft_smo_test {
namespace {

constexpr double kLambda = 0.02;

SoftSmoOptions options(double lambda = kLambda, double beta = 1) {
  SoftSmoOptions options;
  options.lambda = lambda;
  options.beta = beta;
  options.epsilon = 1e-9;
  options.max_epochs = 20000;
  return options;
}

RunResult run(const LabelOracle& oracle, const SoftSmoOptions& options,
              const LearnControl& control = {}) {
  RunResult result{{}, std::vector<double>(oracle.dimension(), 7.0)};
  result.summary = soft_smo(oracle, options, result.w, control);
  return result;
}

TEST(SoftSmo, WrightOmegaIsWhatItSays) {
  for (double x = -9; x < 2000; x += 0.37) {
    const double u = wright_omega(x, std::exp(std::min(x, 700.0)));
    EXPECT_NEAR(u + std::log(u), x, 1e-12 * (1 + std::abs(x)));
  }
}

TEST(SoftSmo, FindsTheOptimumOfLbfgs) {
  for (const bool weighted : {false, true}) {
    for (const double beta : {0.3, 1.0, 4.0}) {
      for (const double gamma : {0.0, 1.0}) {
        LabelDataOptions kind;
        kind.weighted = kind.repeats = weighted;
        const LabelData data(kind, 11);
        const MulticlassModel model = data.model();
        const LabelProblem problem(model, gamma);
        const SmoothProblem<MulticlassModel> smooth(model, beta, gamma);
        const RunResult result = run(problem, options(kLambda, beta), certified());
        EXPECT_EQ(result.summary.termination, Termination::kConverged);
        EXPECT_NEAR(result.summary.objective, objective(smooth, result.w, kLambda), 1e-12);
        EXPECT_LE(result.summary.gap(), 1e-8);
        LbfgsOptions exact;
        exact.lambda = kLambda;
        exact.epsilon = 1e-8;
        exact.delta = 0;
        std::vector<double> w(model.dimension());
        const LearnSummary best = lbfgs(smooth, exact, w);
        EXPECT_NEAR(result.summary.objective, best.objective, 1e-8);
      }
    }
  }
}

TEST(SoftSmo, BoundNeverFalls) {
  const LabelData data({}, 5);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model, 0);
  const RunResult result = run(problem, options(), certified());
  double last = 0;
  for (const EpochRecord& record : result.summary.history) {
    EXPECT_GE(record.bound, last - 1e-12);
    EXPECT_GE(record.objective, record.bound - 1e-12);
    last = record.bound;
  }
}

TEST(SoftSmo, StopsAtTheGapThatWasAskedFor) {
  const LabelData data({}, 6);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model, 0);
  for (const double lambda : {1e-4, 0.02, 10.0}) {
    LearnControl control;
    control.gap_tolerance = 1e-4;
    const RunResult result = run(problem, options(lambda), control);
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
    EXPECT_LE(result.summary.gap(), 1e-4);
  }
}

TEST(SoftSmo, SameBitsForAnyNumberOfThreads) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model, 0);
  LearnControl control = certified(1e-6);
  const RunResult one = run(problem, options(), control);
  control.threads = 3;
  expect_same_bits(one, run(problem, options(), control));
}

TEST(SoftSmo, SameBitsWhenInterruptedAnywhereAndResumed) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model, 0);
  CallCounter counter;
  const StoppingLabelOracle oracle(problem, counter);
  LearnControl control;
  control.gap_tolerance = 1e-6;
  control.threads = 2;
  control.stop = counter.restart(0);
  const RunResult whole = run(oracle, options(), control);
  for (const Index piece : {Index{1}, Index{57}, Index{400}}) {
    Checkpoint checkpoint;
    control.checkpoint = &checkpoint;
    RunResult result;
    Index pieces = 0;
    do {
      control.stop = counter.restart(piece + 7 * pieces);
      result = run(oracle, options(), control);
      ++pieces;
    } while (result.summary.termination == Termination::kInterrupted);
    EXPECT_GT(pieces, 1U);
    expect_same_bits(whole, result);
  }
}

TEST(SoftSmo, RefusesWhatDoesNotFit) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model, 0);
  EXPECT_THROW(run(problem, options(0)), UsageError);
  EXPECT_THROW(run(problem, options(kLambda, 0)), UsageError);
  EXPECT_THROW(run(problem, options(kLambda, std::numeric_limits<double>::infinity())), UsageError);
  std::vector<double> short_w(problem.dimension() - 1);
  EXPECT_THROW(soft_smo(problem, options(), short_w), UsageError);
}

}  // namespace
}  // namespace trellis::testing::soft_smo_test
