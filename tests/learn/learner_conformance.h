// One suite for all learners. A LearnerCase says how to run one of them on a TestProblem; the tests
// below are the promises that every learner makes (learn/frame/learner.h).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "tests/learn/run_result.h"
#include "tests/learn/test_oracles.h"
#include "tests/problem/chain/random_chains.h"
#include "trellis/base/error.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {

// The same examples under a smooth and a hinge loss, with a counter on both.
struct TestProblem {
  // `owner` keeps the oracles alive.
  TestProblem(std::string problem_name, std::shared_ptr<const void> owner,
              const SmoothConvexOracle& smooth_losses, const KBestOracle& margin_losses)
      : name(std::move(problem_name)),
        owner_(std::move(owner)),
        smooth(smooth_losses, counter),
        margin(margin_losses, counter) {}
  TestProblem(const TestProblem&) = delete;

  Index dimension() const { return smooth.dimension(); }

  std::string name;

 private:
  std::shared_ptr<const void> owner_;

 public:
  mutable CallCounter counter;
  Counted<SmoothConvexOracle> smooth;
  CountedKBest margin;
};

// Linear classification with the oracles of test_oracles.h.
inline std::unique_ptr<TestProblem> classification_problem(std::uint64_t seed, Index n) {
  struct Owner {
    explicit Owner(ClassificationData examples)
        : data(std::move(examples)), logistic(data), margin(data) {}
    ClassificationData data;
    LogisticOracle logistic;
    MarginOracle margin;
  };
  const auto owner = std::make_shared<Owner>(ClassificationData::random(seed, n, 5, 3));
  return std::make_unique<TestProblem>("classification", owner, owner->logistic, owner->margin);
}

// Chains from the problem layer, with edge attributes and forbidden transitions.
inline std::unique_ptr<TestProblem> chain_problem(int order) {
  struct Owner {
    Owner(const RandomChainOptions& options, std::uint64_t seed)
        : chains(options, seed), smooth(chains.model(), 1, 1), margin(chains.model(), 1) {}
    RandomChains chains;
    SmoothProblem<ChainModel> smooth;
    KBestProblem<ChainModel> margin;
  };
  RandomChainOptions options;
  options.order = order;
  options.num_examples = 12;
  options.edges = order == 1;
  options.rules = true;
  options.set = FeatureSet::kAll;
  const auto owner = std::make_shared<Owner>(options, 21);
  return std::make_unique<TestProblem>("chain of order " + std::to_string(order), owner,
                                       owner->smooth, owner->margin);
}

struct LearnerCase {
  std::string name;
  double lambda;
  double rho;
  // The relative gap that it can reach in 2000 epochs; 0 if it does not go to the optimum. The
  // others are also subject to ConvergentLearnerConformance.
  double reachable_gap;
  std::function<const ConvexOracle&(const TestProblem&)> losses;
  std::function<LearnSummary(const TestProblem&, Index epochs, std::span<double> w,
                             const LearnControl&)>
      run;
};

inline std::ostream& operator<<(std::ostream& out, const LearnerCase& learner) {
  return out << learner.name;
}

class LearnerConformance : public ::testing::TestWithParam<LearnerCase> {
 protected:
  LearnerConformance() {
    problems_.push_back(classification_problem(7, 30));
    for (const int order : {1, 2, 3}) problems_.push_back(chain_problem(order));
  }

  const LearnerCase& learner() const { return GetParam(); }

  // Runs `check` on each problem.
  void on_each_problem(const std::function<void(const TestProblem&)>& check) const {
    for (const auto& problem : problems_) {
      SCOPED_TRACE(problem->name);
      check(*problem);
    }
  }

  RunResult run(const TestProblem& problem, Index epochs, const LearnControl& control,
                std::vector<double> start = {}) const {
    start.resize(problem.dimension(), 0.0);
    RunResult result{{}, std::move(start)};
    result.summary = learner().run(problem, epochs, result.w, control);
    return result;
  }
  double objective(const TestProblem& problem, std::span<const double> w) const {
    return testing::objective(learner().losses(problem), w, learner().lambda, learner().rho);
  }

 private:
  std::vector<std::unique_ptr<TestProblem>> problems_;
};

class ConvergentLearnerConformance : public LearnerConformance {};

// The objective is for those that converge (below): several epochs of an online learner that takes
// no step back trade norm for loss.
TEST_P(LearnerConformance, ReducesTheMeanLoss) {
  on_each_problem([&](const TestProblem& problem) {
    const ConvexOracle& losses = learner().losses(problem);
    // Without a penalty (the perceptron) 0 is as good a start as any, so it gets a bad one.
    std::vector<double> start(problem.dimension(), 0.0);
    Random draw(11);
    if (learner().lambda + learner().rho == 0) {
      for (double& weight : start) weight = 2 * draw.normal();
    }
    const RunResult result = run(problem, 20, {}, start);
    EXPECT_LT(testing::objective(losses, result.w, 0), 0.8 * testing::objective(losses, start, 0));
  });
}

TEST_P(LearnerConformance, ReportsTheObjectiveOfTheWeightsItReturns) {
  on_each_problem([&](const TestProblem& problem) {
    const RunResult result = run(problem, 3, certified());
    EXPECT_NEAR(result.summary.objective, objective(problem, result.w), 1e-12);
    EXPECT_EQ(result.summary.epochs, 3U);
    ASSERT_EQ(result.summary.history.size(), 3U);
    EXPECT_EQ(result.summary.termination, Termination::kMaxEpochs);
    double seconds = 0;
    for (Index k = 0; k < 3; ++k) {
      const EpochRecord& record = result.summary.history[k];
      EXPECT_EQ(record.epoch, k + 1);
      EXPECT_GE(record.passes, 1U);
      EXPECT_GT(record.updates, 0U);
      EXPECT_GE(record.seconds, seconds);
      EXPECT_NEAR(record.gap() * record.objective, std::max(0.0, record.objective - record.bound),
                  1e-12);
      EXPECT_EQ(record.missed, 0);  // the oracle is exact
      seconds = record.seconds;
    }
  });
}

TEST_P(LearnerConformance, BoundIsBelowTheObjectiveEverywhereAndNeverFalls) {
  on_each_problem([&](const TestProblem& problem) {
    const RunResult result = run(problem, 25, certified());
    double last = 0;
    for (const EpochRecord& record : result.summary.history) {
      EXPECT_GE(record.bound, last - 1e-12);
      last = record.bound;
    }
    Random draw(3);
    std::vector<double> v(result.w);
    for (int trial = 0; trial < 100; ++trial) {
      const double distance = std::pow(10.0, -4 + 5 * draw.uniform());
      for (Index j = 0; j < v.size(); ++j) v[j] = result.w[j] + distance * draw.normal();
      EXPECT_GE(objective(problem, v), last - 1e-12);
    }
  });
}

TEST_P(LearnerConformance, SameBitsForAnyNumberOfThreads) {
  on_each_problem([&](const TestProblem& problem) {
    LearnControl control = certified();
    control.seed = 5;
    const RunResult one = run(problem, 6, control);
    for (const int threads : {2, 3}) {
      control.threads = threads;
      expect_same_bits(one, run(problem, 6, control));
    }
  });
}

TEST_P(LearnerConformance, SameBitsWhenInterruptedAnywhereAndResumed) {
  on_each_problem([&](const TestProblem& problem) {
    for (const bool certify : {false, true}) {
      LearnControl control;
      control.certify = certify;
      control.threads = 2;
      control.stop = problem.counter.restart(0);
      const RunResult whole = run(problem, 3, control);
      const Index total = problem.counter.calls();
      // Growing pieces stop at every kind of place: at first, within and between epochs. (They have
      // to grow, since a batch learner does an abandoned pass again.)
      for (const Index piece : {Index{1}, Index{17}, total - 1}) {
        Checkpoint checkpoint;
        control.checkpoint = &checkpoint;
        Index pieces = 0;
        RunResult result;
        do {
          control.stop = problem.counter.restart(piece + 7 * pieces);
          // What is in w does not matter for a run that is resumed.
          const std::vector<double> start(problem.dimension(), pieces == 0 ? 0.0 : 99.0);
          result = run(problem, 3, control, start);
          ++pieces;
          EXPECT_EQ(checkpoint.empty(), result.summary.termination != Termination::kInterrupted);
        } while (result.summary.termination == Termination::kInterrupted);
        // At the last call but one, another thread may have made the last one.
        EXPECT_TRUE(pieces > 1 || piece + 1 >= total);
        expect_same_bits(whole, result);
      }
    }
  });
}

TEST_P(LearnerConformance, StopsAtOnceWhenAskedBeforeItStarts) {
  on_each_problem([&](const TestProblem& problem) {
    std::stop_source source;
    source.request_stop();
    LearnControl control;
    control.stop = source.get_token();
    const RunResult result = run(problem, 4, control);
    EXPECT_EQ(result.summary.termination, Termination::kInterrupted);
    EXPECT_TRUE(result.summary.history.empty());
    for (const double weight : result.w) EXPECT_EQ(weight, 0);
  });
}

TEST_P(LearnerConformance, ObserverSeesTheWeightsThatWouldBeReturnedAndCanStop) {
  on_each_problem([&](const TestProblem& problem) {
    LearnControl control;
    std::vector<double> seen;
    control.observer = [&](EpochRecord& record, std::span<const double> w) {
      seen.assign(w.begin(), w.end());
      record.dev = static_cast<double>(record.epoch);
      return record.epoch < 2;
    };
    const RunResult result = run(problem, 10, control);
    EXPECT_EQ(result.summary.termination, Termination::kObserver);
    ASSERT_EQ(result.summary.epochs, 2U);
    EXPECT_EQ(result.summary.history[1].dev, 2);
    EXPECT_EQ(seen, result.w);
  });
}

TEST_P(LearnerConformance, RefusesTheCheckpointOfAnotherRun) {
  on_each_problem([&](const TestProblem& problem) {
    Checkpoint checkpoint;
    LearnControl control;
    control.checkpoint = &checkpoint;
    control.stop = problem.counter.restart(10);
    ASSERT_EQ(run(problem, 4, control).summary.termination, Termination::kInterrupted);
    control.stop = {};
    control.seed = 1;
    EXPECT_THROW(run(problem, 4, control), UsageError);
  });
}

TEST_P(LearnerConformance, OneExampleIsEnough) {
  const auto one = classification_problem(2, 1);
  const RunResult result = run(*one, 5, certified());
  EXPECT_TRUE(std::isfinite(result.summary.objective));
  EXPECT_LE(result.summary.bound, result.summary.objective + 1e-12);
}

TEST_P(LearnerConformance, NoExamplesAreAUsageError) {
  const auto none = classification_problem(2, 0);
  EXPECT_THROW(run(*none, 5, {}), UsageError);
}

TEST_P(LearnerConformance, WeightsOfAnotherDimensionAreAUsageError) {
  const auto problem = classification_problem(2, 3);
  std::vector<double> w(problem->dimension() + 1);
  EXPECT_THROW(learner().run(*problem, 1, w, {}), UsageError);
}

TEST_P(LearnerConformance, LossesWithoutSlopesLeaveTheWeightsAlone) {
  const ConstantOracle<SmoothConvexOracle> smooth(3, 4, 0.5);
  const ConstantKBestOracle margin(3, 4, 0.5);
  const TestProblem problem("constant", nullptr, smooth, margin);
  const RunResult result = run(problem, 5, certified());
  EXPECT_EQ(result.w, std::vector<double>(4, 0.0));
  EXPECT_DOUBLE_EQ(result.summary.objective, 0.5);
  // Without λ and ρ no cut but the trivial one bounds anything.
  EXPECT_NEAR(result.summary.bound, 0.5, 1e-12);
}

TEST_P(ConvergentLearnerConformance, GapGoesToZero) {
  on_each_problem([&](const TestProblem& problem) {
    const RunResult result = run(problem, 2000, certified(learner().reachable_gap));
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
    EXPECT_LE(result.summary.gap(), learner().reachable_gap);
    EXPECT_NEAR(objective(problem, result.w), result.summary.objective, 1e-12);
  });
}

TEST_P(ConvergentLearnerConformance, ContinuesFromWeightsThatAreGoodAlready) {
  on_each_problem([&](const TestProblem& problem) {
    const double tolerance = learner().reachable_gap;
    const RunResult first = run(problem, 2000, certified(tolerance));
    const RunResult second = run(problem, 2000, certified(tolerance), first.w);
    EXPECT_LE(std::abs(second.summary.objective - first.summary.objective),
              tolerance * first.summary.objective);
  });
}

}  // namespace trellis::testing
