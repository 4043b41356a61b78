// One suite for all learners. A LearnerCase says how to run one of them on a TestProblem; the tests
// below are the promises that every learner makes (learn/learner.h).
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/certificate.h"
#include "trellis/learn/checkpoint.h"
#include "trellis/learn/learner.h"

namespace trellis::testing {

struct TestProblem {
  explicit TestProblem(ClassificationData examples)
      : data(std::move(examples)), logistic(data), margin(data) {
    logistic.counter = margin.counter = &counter;
  }
  TestProblem(const TestProblem&) = delete;

  ClassificationData data;
  CallCounter counter;
  LogisticOracle logistic;
  MarginOracle margin;
};

struct LearnerCase {
  std::string name;
  double lambda;
  double rho;
  bool converges;  // goes to the optimum, given time: ConvergentLearnerConformance applies, too
  std::function<const ConvexOracle&(const TestProblem&)> losses;
  std::function<LearnSummary(const TestProblem&, Index epochs, std::span<double> w,
                             const LearnControl&)>
      run;
};

inline std::ostream& operator<<(std::ostream& out, const LearnerCase& learner) {
  return out << learner.name;
}

struct RunResult {
  LearnSummary summary;
  std::vector<double> w;
};

inline bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// All of two runs but the time.
inline void expect_same_bits(const RunResult& a, const RunResult& b) {
  ASSERT_EQ(a.w.size(), b.w.size());
  EXPECT_EQ(std::memcmp(a.w.data(), b.w.data(), a.w.size() * sizeof(double)), 0);
  EXPECT_EQ(a.summary.termination, b.summary.termination);
  ASSERT_EQ(a.summary.history.size(), b.summary.history.size());
  for (Index k = 0; k < a.summary.history.size(); ++k) {
    const EpochRecord& x = a.summary.history[k];
    const EpochRecord& y = b.summary.history[k];
    EXPECT_EQ(x.epoch, y.epoch);
    EXPECT_EQ(x.updates, y.updates);
    EXPECT_EQ(x.weights_touched, y.weights_touched);
    EXPECT_EQ(x.passes, y.passes);
    EXPECT_TRUE(same_bits(x.loss, y.loss)) << x.loss << " and " << y.loss;
    EXPECT_TRUE(same_bits(x.objective, y.objective)) << x.objective << " and " << y.objective;
    EXPECT_TRUE(same_bits(x.bound, y.bound)) << x.bound << " and " << y.bound;
    EXPECT_TRUE(same_bits(x.gap, y.gap)) << x.gap << " and " << y.gap;
    EXPECT_TRUE(same_bits(x.dev, y.dev)) << x.dev << " and " << y.dev;
  }
}

class LearnerConformance : public ::testing::TestWithParam<LearnerCase> {
 protected:
  LearnerConformance() : problem_(ClassificationData::random(7, 30, 5, 3)) {}

  const LearnerCase& learner() const { return GetParam(); }
  const ConvexOracle& losses(const TestProblem& problem) const { return learner().losses(problem); }

  RunResult run(const TestProblem& problem, Index epochs, const LearnControl& control,
                std::vector<double> start = {}) const {
    start.resize(problem.data.dimension(), 0.0);
    RunResult result{{}, std::move(start)};
    result.summary = learner().run(problem, epochs, result.w, control);
    return result;
  }
  RunResult run(Index epochs, const LearnControl& control) const {
    return run(problem_, epochs, control);
  }
  double objective(std::span<const double> w) const {
    return testing::objective(losses(problem_), w, learner().lambda, learner().rho);
  }

  TestProblem problem_;
};

class ConvergentLearnerConformance : public LearnerConformance {};

TEST_P(LearnerConformance, ReducesTheObjective) {
  // The perceptron's loss is 0 at w = 0, so it is measured against random weights of some size.
  std::vector<double> start(problem_.data.dimension());
  Random draw(11);
  for (double& weight : start) weight = 2 * draw.normal();
  const RunResult result = run(problem_, 20, {}, start);
  EXPECT_LT(objective(result.w), 0.8 * objective(start));
}

TEST_P(LearnerConformance, ReportsTheObjectiveOfTheWeightsItReturns) {
  LearnControl control;
  control.certify = true;
  const RunResult result = run(3, control);
  EXPECT_NEAR(result.summary.objective, objective(result.w), 1e-12);
  EXPECT_EQ(result.summary.epochs, 3U);
  ASSERT_EQ(result.summary.history.size(), 3U);
  EXPECT_EQ(result.summary.termination, Termination::kMaxEpochs);
  for (Index k = 0; k < 3; ++k) {
    const EpochRecord& record = result.summary.history[k];
    EXPECT_EQ(record.epoch, k + 1);
    EXPECT_GE(record.passes, 1U);
    EXPECT_GT(record.updates, 0U);
    EXPECT_GE(record.seconds, k == 0 ? 0 : result.summary.history[k - 1].seconds);
    EXPECT_DOUBLE_EQ(record.gap, std::max(0.0, record.objective - record.bound));
  }
}

TEST_P(LearnerConformance, BoundIsBelowTheObjectiveEverywhereAndNeverFalls) {
  LearnControl control;
  control.certify = true;
  const RunResult result = run(25, control);
  double last = 0;
  for (const EpochRecord& record : result.summary.history) {
    EXPECT_GE(record.bound, last - 1e-12);
    last = record.bound;
  }
  Random draw(3);
  std::vector<double> v(result.w);
  for (int trial = 0; trial < 200; ++trial) {
    const double distance = std::pow(10.0, -4 + 5 * draw.uniform());
    for (Index j = 0; j < v.size(); ++j) v[j] = result.w[j] + distance * draw.normal();
    EXPECT_GE(objective(v), last - 1e-12);
  }
}

TEST_P(ConvergentLearnerConformance, GapGoesToZero) {
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-3;
  const RunResult result = run(20000, control);
  EXPECT_EQ(result.summary.termination, Termination::kConverged);
  EXPECT_LE(result.summary.gap, 1e-3 * result.summary.objective);
  EXPECT_NEAR(objective(result.w), result.summary.objective, 1e-12);
}

TEST_P(LearnerConformance, SameBitsForAnyNumberOfThreads) {
  LearnControl control;
  control.certify = true;
  control.seed = 5;
  const RunResult one = run(6, control);
  for (const int threads : {2, 3}) {
    control.threads = threads;
    expect_same_bits(one, run(6, control));
  }
}

TEST_P(LearnerConformance, SameBitsWhenInterruptedAnywhereAndResumed) {
  for (const bool certify : {false, true}) {
    LearnControl control;
    control.certify = certify;
    control.threads = 2;
    control.stop = problem_.counter.restart(0);
    const RunResult whole = run(4, control);
    const Index total = problem_.counter.calls();
    // Pieces of coprime lengths stop at every kind of place: at first, within and between epochs.
    for (const Index piece : {Index{1}, Index{37}, Index{59}, total - 1}) {
      Checkpoint checkpoint;
      control.checkpoint = &checkpoint;
      Index pieces = 0;
      RunResult result;
      do {
        // A batch learner has to redo an abandoned pass, so the pieces must grow.
        control.stop = problem_.counter.restart(piece + (piece < 30 ? 13 : 30) * pieces);
        std::vector<double> garbage(pieces == 0 ? 0 : problem_.data.dimension(), 99.0);
        result = run(problem_, 4, control, garbage);
        ++pieces;
        ASSERT_LT(pieces, 1000U);
        EXPECT_EQ(checkpoint.empty(), result.summary.termination != Termination::kInterrupted);
      } while (result.summary.termination == Termination::kInterrupted);
      EXPECT_GT(pieces, 1U);
      expect_same_bits(whole, result);
    }
    control.checkpoint = nullptr;
  }
}

TEST_P(LearnerConformance, StopsAtOnceWhenAskedBeforeItStarts) {
  std::stop_source source;
  source.request_stop();
  LearnControl control;
  control.stop = source.get_token();
  const RunResult result = run(4, control);
  EXPECT_EQ(result.summary.termination, Termination::kInterrupted);
  EXPECT_TRUE(result.summary.history.empty());
  for (const double weight : result.w) EXPECT_EQ(weight, 0);
}

TEST_P(LearnerConformance, ObserverSeesTheWeightsThatWouldBeReturnedAndCanStop) {
  LearnControl control;
  std::vector<double> seen;
  control.observer = [&](EpochRecord& record, std::span<const double> w) {
    seen.assign(w.begin(), w.end());
    record.dev = static_cast<double>(record.epoch);
    return record.epoch < 2;
  };
  const RunResult result = run(10, control);
  EXPECT_EQ(result.summary.termination, Termination::kObserver);
  ASSERT_EQ(result.summary.epochs, 2U);
  EXPECT_EQ(result.summary.history[1].dev, 2);
  EXPECT_EQ(std::memcmp(seen.data(), result.w.data(), seen.size() * sizeof(double)), 0);
}

TEST_P(LearnerConformance, OneExampleIsEnough) {
  const TestProblem one(ClassificationData::random(2, 1, 4, 3));
  LearnControl control;
  control.certify = true;
  const RunResult result = run(one, 5, control);
  EXPECT_TRUE(std::isfinite(result.summary.objective));
  EXPECT_LE(result.summary.bound, result.summary.objective + 1e-12);
}

TEST_P(LearnerConformance, NoExamplesAreAUsageError) {
  const TestProblem none(ClassificationData::random(2, 0, 4, 3));
  EXPECT_THROW(run(none, 5, {}), UsageError);
}

TEST_P(LearnerConformance, WeightsOfAnotherDimensionAreAUsageError) {
  std::vector<double> w(problem_.data.dimension() + 1);
  EXPECT_THROW(learner().run(problem_, 1, w, {}), UsageError);
}

TEST_P(ConvergentLearnerConformance, ContinuesFromWeightsThatAreGoodAlready) {
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-3;
  const RunResult first = run(20000, control);
  const RunResult second = run(problem_, 20000, control, first.w);
  EXPECT_NEAR(second.summary.objective, first.summary.objective, 2e-3 * first.summary.objective);
}

TEST_P(LearnerConformance, RefusesTheCheckpointOfAnotherRun) {
  Checkpoint checkpoint;
  LearnControl control;
  control.checkpoint = &checkpoint;
  control.stop = problem_.counter.restart(40);
  ASSERT_EQ(run(4, control).summary.termination, Termination::kInterrupted);
  control.stop = {};
  control.seed = 1;
  EXPECT_THROW(run(4, control), UsageError);
}

}  // namespace trellis::testing
