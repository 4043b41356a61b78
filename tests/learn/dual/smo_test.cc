#include "trellis/learn/dual/smo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learn/label_data.h"
#include "tests/learn/run_result.h"
#include "tests/learn/stopping_label_oracle.h"
#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/label_dual.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"

namespace trellis::testing::smo_test {
namespace {

constexpr double kLambda = 0.02;

SmoOptions options(double lambda = kLambda, double epsilon = 1e-9) {
  SmoOptions options;
  options.lambda = lambda;
  options.epsilon = epsilon;
  return options;
}

RunResult run(const LabelOracle& oracle, const SmoOptions& options,
              const LearnControl& control = {}) {
  RunResult result{{}, std::vector<double>(oracle.dimension(), 7.0)};
  result.summary = smo(oracle, options, result.w, control);
  return result;
}

std::vector<LabelDataOptions> all_kinds() {
  std::vector<LabelDataOptions> kinds(4);
  kinds[1].weighted = true;
  kinds[2].repeats = true;
  kinds[3].weighted = kinds[3].repeats = true;
  kinds[3].num_labels = 9;
  return kinds;
}

// One example, one attribute of value x, two labels: w = ±α x with α = min(C, 1/2x²).
TEST(Smo, OneExampleIsInClosedForm) {
  for (const double lambda : {0.01, 10.0}) {
    const std::vector<std::uint64_t> begin = {0, 2};
    const std::vector<std::uint32_t> targets = {0, 1};
    const CostTable costs = CostTable::hamming(2);
    const std::vector<Label> labels = {1};
    AttributeStore store;
    const std::vector<std::uint32_t> positions = {0, 1};
    const std::vector<AttributeId> ids = {0};
    const std::vector<float> values = {0.5F};
    store.add(positions, ids, values);
    store.finish(ids, 1);
    const MulticlassModel model(AttributeRows(begin, targets, 2), store, labels, costs);
    const LabelProblem problem(model);
    const RunResult result = run(problem, options(lambda));
    const double alpha = std::min(1 / lambda, 1 / (2 * 0.25));
    EXPECT_NEAR(result.w[1], 0.5 * alpha, 1e-12);
    EXPECT_NEAR(result.w[0], -0.5 * alpha, 1e-12);
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
  }
}

TEST(Smo, ClosesTheGapWhateverTheCostsAndWeights) {
  for (const LabelDataOptions& kind : all_kinds()) {
    const LabelData data(kind, 11);
    const MulticlassModel model = data.model();
    const LabelProblem problem(model);
    const HingeProblem hinge(model);
    SmoOptions exact = options();
    exact.max_epochs = 20000;
    const RunResult result = run(problem, exact);
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
    EXPECT_NEAR(result.summary.objective, objective(hinge, result.w, kLambda), 1e-12);
    EXPECT_LE(result.summary.gap(), 1e-8);
    EXPECT_LT(result.summary.objective,
              objective(hinge, std::vector<double>(model.dimension()), kLambda));
  }
}

TEST(Smo, BoundIsBelowTheObjectiveEverywhereAndNeverFalls) {
  for (const LabelDataOptions& kind : all_kinds()) {
    const LabelData data(kind, 5);
    const MulticlassModel model = data.model();
    const LabelProblem problem(model);
    const HingeProblem hinge(model);
    const RunResult result = run(problem, options(), certified());
    double last = 0;
    for (const EpochRecord& record : result.summary.history) {
      EXPECT_GE(record.bound, last - 1e-12);
      EXPECT_GE(record.objective, record.bound - 1e-12);
      last = record.bound;
    }
    Random draw(3);
    std::vector<double> v(result.w);
    for (int trial = 0; trial < 100; ++trial) {
      const double distance = std::pow(10.0, -4 + 5 * draw.uniform());
      for (Index j = 0; j < v.size(); ++j) v[j] = result.w[j] + distance * draw.normal();
      EXPECT_GE(objective(hinge, v, kLambda), last - 1e-12);
    }
  }
}

TEST(Smo, StopsAtTheGapThatWasAskedForWithOrWithoutACheckPerEpoch) {
  const LabelData data({}, 6);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  for (const bool certify : {false, true}) {
    LearnControl control;
    control.certify = certify;
    control.gap_tolerance = 1e-3;
    const RunResult result = run(problem, options(), control);
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
    EXPECT_LE(result.summary.gap(), 1e-3);
    EXPECT_GT(result.summary.gap(), 0);
  }
}

TEST(Smo, CertifiedEpochsAllHaveAnObjective) {
  const LabelData data({}, 6);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  SmoOptions few = options();
  few.max_epochs = 4;
  const RunResult result = run(problem, few, certified());
  EXPECT_EQ(result.summary.epochs, 4U);
  EXPECT_EQ(result.summary.termination, Termination::kMaxEpochs);
  for (const EpochRecord& record : result.summary.history) {
    EXPECT_TRUE(std::isfinite(record.objective));
    EXPECT_DOUBLE_EQ(record.gap(),
                     std::max(0.0, record.objective - record.bound) / record.objective);
  }
}

TEST(Smo, StallsWhereTheViolationsAreRounding) {
  const LabelData data({}, 6);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  SmoOptions exact = options(kLambda, 1e-30);
  exact.max_epochs = 100000;
  const RunResult result = run(problem, exact);
  EXPECT_TRUE(result.summary.termination == Termination::kStalled ||
              result.summary.termination == Termination::kConverged);
  EXPECT_LE(result.summary.gap(), 1e-12);
}

TEST(Smo, SameBitsForAnyNumberOfThreads) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  LearnControl control = certified();
  control.seed = 4;
  const RunResult one = run(problem, options(), control);
  control.threads = 3;
  expect_same_bits(one, run(problem, options(), control));
}

TEST(Smo, SameBitsWhenInterruptedAnywhereAndResumed) {
  LabelDataOptions kind;
  kind.num_labels = 9;
  const LabelData data(kind, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  CallCounter counter;
  const StoppingLabelOracle oracle(problem, counter);
  for (const bool certify : {false, true}) {
    LearnControl control;
    control.certify = certify;
    control.gap_tolerance = 1e-4;
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
        EXPECT_EQ(checkpoint.empty(), result.summary.termination != Termination::kInterrupted);
      } while (result.summary.termination == Termination::kInterrupted);
      EXPECT_GT(pieces, 1U);
      expect_same_bits(whole, result);
    }
    control.checkpoint = nullptr;
  }
}

TEST(Smo, RefusesTheCheckpointOfAnotherRun) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  CallCounter counter;
  const StoppingLabelOracle oracle(problem, counter);
  Checkpoint checkpoint;
  LearnControl control;
  control.checkpoint = &checkpoint;
  control.stop = counter.restart(10);
  ASSERT_EQ(run(oracle, options(), control).summary.termination, Termination::kInterrupted);
  control.stop = {};
  EXPECT_THROW(run(oracle, options(2 * kLambda), control), UsageError);
  // Labels that do not exist.
  std::vector<std::uint64_t> support = checkpoint.integers("smo/support");
  support[1] = 99;
  checkpoint.put_integers("smo/support", support);
  EXPECT_THROW(run(oracle, options(), control), InputError);
}

TEST(Smo, RefusesWhatDoesNotFit) {
  const LabelData data({}, 8);
  const MulticlassModel model = data.model();
  const LabelProblem problem(model);
  EXPECT_THROW(run(problem, options(0)), UsageError);
  EXPECT_THROW(run(problem, options(kLambda, 0)), UsageError);
  std::vector<double> short_w(problem.dimension() - 1);
  EXPECT_THROW(smo(problem, options(), short_w), UsageError);
}

TEST(LabelProblem, RefusesRowsThatLackALabel) {
  const std::vector<std::uint64_t> begin = {0, 2};
  const std::vector<std::uint32_t> targets = {0, 2};
  const CostTable costs = CostTable::hamming(3);
  const std::vector<Label> labels = {1};
  AttributeStore store;
  const std::vector<std::uint32_t> positions = {0, 1};
  const std::vector<AttributeId> ids = {0};
  store.add(positions, ids, {});
  store.finish(ids, 1);
  const MulticlassModel model(AttributeRows(begin, targets, 3), store, labels, costs);
  EXPECT_THROW(LabelProblem{model}, UsageError);
}

TEST(LabelProblem, ScoresSomeLabelsAsItScoresAll) {
  for (const LabelDataOptions& kind : all_kinds()) {
    const LabelData data(kind, 2);
    const MulticlassModel model = data.model();
    const LabelProblem problem(model, 2);
    Random draw(1);
    std::vector<double> w(problem.dimension());
    for (double& weight : w) weight = draw.normal();
    const std::vector<std::uint32_t> some = {1, 3};
    std::vector<double> all(problem.num_labels()), expected(problem.num_labels()), few(2);
    for (Index i = 0; i < problem.num_examples(); ++i) {
      problem.scores(i, w, all);
      problem.add_costs(i, all);
      model.scores(i, w, expected);
      model.add_costs(i, 2, expected);
      problem.scores(i, w, some, few);
      problem.add_costs(i, some, few);
      for (Index y = 0; y < all.size(); ++y) EXPECT_NEAR(all[y], expected[y], 1e-12);
      for (Index k = 0; k < 2; ++k) EXPECT_NEAR(few[k], expected[some[k]], 1e-12);
      // ⟨w_y, x⟩ rises by δ‖x‖² when w_y moves by δ x.
      std::vector<double> moved = w;
      const std::vector<double> deltas = {0.5, -1};
      problem.add(i, some, deltas, moved);
      problem.scores(i, moved, expected);
      problem.scores(i, w, all);
      for (Index k = 0; k < 2; ++k) {
        EXPECT_NEAR(expected[some[k]], all[some[k]] + deltas[k] * problem.squared_norm(i), 1e-12);
      }
    }
  }
}

TEST(SimplexThreshold, LeavesTheTotalThatWasAskedFor) {
  Random draw(9);
  std::vector<double> candidates;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> b(1 + draw.below(12));
    for (double& value : b) value = std::pow(10.0, 3 * draw.uniform()) * draw.normal();
    const double total = std::pow(10.0, -3 + 6 * draw.uniform());
    const double theta = simplex_threshold(b, total, candidates);
    double sum = 0;
    for (const double value : b) sum += std::max(0.0, value - theta);
    EXPECT_NEAR(sum, total, 1e-9 * (total + 1000));
  }
}

}  // namespace
}  // namespace trellis::testing::smo_test
