#include "trellis/learn/online/sgd.h"

#include <gtest/gtest.h>

#include <cmath>

#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::testing {
namespace {

// The update of sgd.h without the scale: dense, and with slopes at the true weights.
struct Literal {
  std::vector<double> w;
  std::vector<double> mean;
};
Literal descend_literally(const Oracle& oracle, double eta, double lambda, Index epochs) {
  const Index n = oracle.num_examples();
  Literal result{std::vector<double>(oracle.dimension()), std::vector<double>(oracle.dimension())};
  const auto scratch = oracle.make_scratch();
  Cut cut;
  for (Index t = 0; t < n * epochs; ++t) {
    for (Index j = 0; j < result.w.size(); ++j) result.mean[j] += result.w[j];
    oracle.evaluate(t % n, result.w, *scratch, cut);
    const double step = eta / (1 + static_cast<double>(t) / static_cast<double>(n));
    cut.slope.add_to(result.w, -step);
    for (double& weight : result.w) weight /= 1 + step * lambda;
  }
  for (double& value : result.mean) value /= static_cast<double>(n * epochs);
  return result;
}

SgdOptions sequential(double eta, double lambda, Index epochs, bool average) {
  SgdOptions options;
  options.eta = eta;
  options.lambda = lambda;
  options.max_epochs = epochs;
  options.order = VisitOrder::kSequential;
  options.average = average;
  return options;
}

TEST(Sgd, FollowsTheScheduleWhenEverySlopeIsDense) {
  // Each slope has all coordinates, so the scale is multiplied in after every step.
  const LeastSquaresOracle oracle(3, 10, 4);
  const Literal expected = descend_literally(oracle, 0.05, 0.3, 5);
  std::vector<double> w(4), mean(4);
  sgd(oracle, sequential(0.05, 0.3, 5, false), w);
  sgd(oracle, sequential(0.05, 0.3, 5, true), mean);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(w[j], expected.w[j], 1e-12);
    EXPECT_NEAR(mean[j], expected.mean[j], 1e-12);
  }
}

TEST(Sgd, PutOffShrinkageIsCloseToTheSchedule) {
  const ClassificationData data = ClassificationData::random(5, 40, 30, 3);
  const LogisticOracle oracle(data);
  const Literal expected = descend_literally(oracle, 0.1, 0.01, 5);
  std::vector<double> w(oracle.dimension()), mean(oracle.dimension());
  sgd(oracle, sequential(0.1, 0.01, 5, false), w);
  sgd(oracle, sequential(0.1, 0.01, 5, true), mean);
  for (Index j = 0; j < w.size(); ++j) {
    EXPECT_NEAR(w[j], expected.w[j], 1e-3);
    EXPECT_NEAR(mean[j], expected.mean[j], 1e-3);
  }
}

TEST(Sgd, MeanOfShrunkIteratesIsExact) {
  // Slopes that do not depend on w, so that the literal run is the same run: L_i = ⟨a_i, w⟩ + 1.
  class LinearOracle : public TestOracle<Oracle, LinearOracle> {
   public:
    Index num_examples() const override { return 6; }
    Index dimension() const override { return 20; }
    double evaluate_cut(Index i, std::span<const double> w, TestScratch&, Cut& cut) const {
      cut.slope.clear();
      cut.slope.append(i, 2)[0] = 1;
      cut.slope.append(10 + i, 1)[0] = -2;
      cut.offset = 1;
      return cut.value(w);
    }
  };
  const LinearOracle oracle;
  const Literal expected = descend_literally(oracle, 0.5, 0.2, 4);
  std::vector<double> w(20), mean(20);
  sgd(oracle, sequential(0.5, 0.2, 4, false), w);
  sgd(oracle, sequential(0.5, 0.2, 4, true), mean);
  for (Index j = 0; j < 20; ++j) {
    EXPECT_NEAR(w[j], expected.w[j], 1e-13);
    EXPECT_NEAR(mean[j], expected.mean[j], 1e-13);
  }
}

TEST(Sgd, ChoosesTheRateThatScoresHighestOnHeldOutData) {
  const LeastSquaresOracle oracle(3, 10, 4);
  SgdOptions options = sequential(0, 0.1, 2, false);
  Index calls = 0;
  options.held_out = [&](std::span<const double>) { return ++calls == 2 ? 1.0 : 0.0; };
  std::vector<double> chosen(4), given(4);
  const SgdSummary summary = sgd(oracle, options, chosen);
  EXPECT_EQ(summary.eta, 0.01);
  EXPECT_EQ(summary.eta_scores, (std::vector<double>{0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(calls, 6U);
  options.eta = 0.01;
  sgd(oracle, options, given);
  EXPECT_EQ(chosen, given);
}

TEST(Sgd, WithoutHeldOutDataTheLowestObjectiveWins) {
  const LeastSquaresOracle oracle(3, 30, 4);
  std::vector<double> w(4);
  // The largest rates blow up on squares.
  const SgdSummary summary = sgd(oracle, sequential(0, 0.1, 3, false), w);
  EXPECT_GE(summary.eta, 0.01);
  EXPECT_LE(summary.eta, 0.1);
  EXPECT_LT(objective(oracle, w, 0.1), objective(oracle, std::vector<double>(4), 0.1));
  for (const double score : summary.eta_scores) EXPECT_FALSE(std::isnan(score));
}

TEST(Sgd, ChoiceOfTheRateCanBeInterruptedAndResumed) {
  const ClassificationData data = ClassificationData::random(5, 40, 6, 3);
  const LogisticOracle inner(data);
  CallCounter counter;
  const Counted<SmoothConvexOracle> oracle(inner, counter);
  SgdOptions options = sequential(0, 0.1, 2, true);
  options.order = VisitOrder::kRandom;
  counter.restart(0);
  std::vector<double> whole(oracle.dimension(), 0.1);
  const SgdSummary expected = sgd(oracle, options, whole);
  const Index total = counter.calls();
  for (Index stop = 3; stop < total; stop += 29) {
    Checkpoint checkpoint;
    LearnControl control;
    control.checkpoint = &checkpoint;
    control.stop = counter.restart(stop);
    std::vector<double> w(oracle.dimension(), 0.1);
    SgdSummary summary = sgd(oracle, options, w, control);
    if (summary.termination == Termination::kInterrupted) {
      control.stop = {};
      std::fill(w.begin(), w.end(), 7.0);
      summary = sgd(oracle, options, w, control);
    }
    EXPECT_EQ(w, whole) << "stopped at call " << stop;
    EXPECT_EQ(summary.eta, expected.eta);
    EXPECT_EQ(summary.eta_scores, expected.eta_scores);
  }
}

TEST(Sgd, RefusesACertificateWithoutConvexity) {
  const ConstantOracle<SmoothOracle> oracle(3, 2, 1);
  std::vector<double> w(2);
  LearnControl control;
  EXPECT_NO_THROW(sgd(oracle, sequential(0.1, 0.1, 1, false), w, control));
  control.certify = true;
  EXPECT_THROW(sgd(oracle, sequential(0.1, 0.1, 1, false), w, control), UsageError);
}

TEST(Sgd, RefusesOptionsThatDoNotFit) {
  const LeastSquaresOracle oracle(3, 4, 2);
  std::vector<double> w(2);
  EXPECT_THROW(sgd(oracle, sequential(-0.1, 0.1, 1, false), w), UsageError);
  EXPECT_THROW(sgd(oracle, sequential(0.1, -0.1, 1, false), w), UsageError);
}

}  // namespace
}  // namespace trellis::testing
