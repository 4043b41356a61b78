// DCA with losses of sums that are not exact.
#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <vector>

#include "tests/learn/run_result.h"
#include "tests/problem/fixed_sums.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {
namespace {

// L_i(w) = a_i + w_i, which an estimate may well have below 0. Calls of those with a_i > 0
// converge.
class LinearLosses final : public ApproximateOracle {
 public:
  explicit LinearLosses(std::vector<double> offsets) : offsets_(std::move(offsets)) {}
  Index num_examples() const override { return offsets_.size(); }
  Index dimension() const override { return offsets_.size(); }
  struct Last : Scratch {
    Convergence convergence;
  };
  Convergence convergence(const Scratch& scratch) const override {
    return static_cast<const Last&>(scratch).convergence;
  }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Last>(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    static_cast<Last&>(scratch).convergence = {offsets_[i] > 0, 1, std::abs(offsets_[i])};
    cut.slope.clear();
    cut.slope.append(static_cast<std::uint32_t>(i), 1);
    cut.slope.values(cut.slope.runs()[0])[0] = 1;
    cut.offset = offsets_[i];
    return offsets_[i] + w[i];
  }
  double accumulate(Index i, std::span<const double> w, Scratch&,
                    std::span<double> gradient) const override {
    gradient[i] += 1;
    return offsets_[i] + w[i];
  }

 private:
  std::vector<double> offsets_;
};

// The same, which asks for a stop after so many calls.
class StopAfter final : public ApproximateOracle {
 public:
  StopAfter(const LinearLosses& losses, int calls, std::stop_source& source)
      : losses_(losses), calls_(calls), source_(source) {
    if (calls_ == 0) source_.request_stop();
  }
  Index num_examples() const override { return losses_.num_examples(); }
  Index dimension() const override { return losses_.dimension(); }
  Convergence convergence(const Scratch& scratch) const override {
    return losses_.convergence(scratch);
  }
  std::unique_ptr<Scratch> make_scratch() const override { return losses_.make_scratch(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    if (--calls_ == 0) source_.request_stop();
    return losses_.evaluate(i, w, scratch, cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    return losses_.accumulate(i, w, scratch, gradient);
  }

 private:
  const LinearLosses& losses_;
  mutable int calls_;
  std::stop_source& source_;
};

TEST(DcaApproximate, CutsTheStepOfANegativeLossToZeroAndCountsIt) {
  const LinearLosses oracle({0.5, -1, 0.25, -3});
  DcaOptions options;
  options.lambda = 0.01;
  options.max_epochs = 1;
  options.average = false;
  std::vector<double> w(4, 0.0);
  const LearnSummary summary = dca(oracle, options, w);
  EXPECT_EQ(w, (std::vector<double>{-0.5, 0, -0.25, 0}));
  ASSERT_EQ(summary.history.size(), 1U);
  EXPECT_EQ(summary.history[0].negative_losses, 2U);
  EXPECT_EQ(summary.history[0].updates, 2U);
}

void expect_tally_of_four(const LearnSummary& summary) {
  ASSERT_EQ(summary.history.size(), 2U);
  for (const EpochRecord& record : summary.history) {
    EXPECT_EQ(record.inference.calls, 4U);
    EXPECT_EQ(record.inference.unconverged, 2U);
    EXPECT_EQ(record.inference.largest_residual, 3);
    EXPECT_EQ(record.inference.residual_sum, 0.5 + 1 + 0.25 + 3);
    EXPECT_EQ(record.inference.mean_residual(), 4.75 / 4);
  }
}

TEST(InferenceTally, CountsWhatEachEpochsCallsOfAnOnlineLearnerLeft) {
  const LinearLosses oracle({0.5, -1, 0.25, -3});
  std::vector<double> w(4, 0.0);
  DcaOptions options;
  options.lambda = 0.01;
  options.max_epochs = 2;
  expect_tally_of_four(dca(oracle, options, w));
  SgdOptions slow;
  slow.eta = 1e-3;
  slow.max_epochs = 2;
  expect_tally_of_four(sgd(oracle, slow, w));
}

// Interrupted within an epoch and resumed, or not.
TEST(InferenceTally, IsThatOfAnUninterruptedRun) {
  const LinearLosses oracle({0.5, -1, 0.25, -3});
  DcaOptions options;
  options.lambda = 0.01;
  options.max_epochs = 2;
  for (int visits = 0; visits < 8; ++visits) {
    std::vector<double> w(4, 0.0);
    Checkpoint checkpoint;
    LearnControl control;
    control.checkpoint = &checkpoint;
    std::stop_source source;
    control.stop = source.get_token();
    const StopAfter stopping(oracle, visits, source);
    dca(stopping, options, w, control);
    control.stop = {};
    expect_tally_of_four(dca(oracle, options, w, control));
  }
}

TEST(InferenceTally, OfLbfgsCountsAllPassesWhateverTheThreads) {
  const FactorGraphs graphs = random_rings(5, 12);
  const auto model = bounded_rings(graphs, {3, 1e-6}, 3);
  const SmoothProblem<BlockModel<ReweightedFactorGraph>> problem(model);
  const auto run = [&](int threads) {
    RunResult result{{}, std::vector<double>(kRingFeatures, 0.0)};
    LearnControl control;
    control.threads = threads;
    LbfgsOptions options;
    options.lambda = 0.01;
    options.max_iterations = 4;
    result.summary = lbfgs(problem, options, result.w, control);
    return result;
  };
  const RunResult one = run(1);
  expect_same_bits(one, run(3));
  for (const EpochRecord& record : one.summary.history) {
    EXPECT_EQ(record.inference.calls, 12 * record.passes);
    EXPECT_GT(record.inference.unconverged, 0U);
  }
}

TEST(DcaApproximate, HasNoCertificateAndNoStoredDual) {
  const LinearLosses oracle({0.5, -1});
  std::vector<double> w(2, 0.0);
  LearnControl control;
  control.certify = true;
  EXPECT_THROW(dca(oracle, DcaOptions{}, w, control), UsageError);
  DcaOptions stored;
  stored.dual = DcaDual::kStored;
  EXPECT_THROW(dca(oracle, stored, w), UsageError);
}

// The problem hands on what the sums say: a bound that is too low shows.
TEST(DcaApproximate, CountsTheLossesOfABrokenBound) {
  const auto model = fixed_sums<Standing::kUpperBound>({2, -1, 3});
  const SmoothProblem<BlockModel<FixedSum<Standing::kUpperBound>>> problem(model);
  DcaOptions options;
  options.lambda = 1;  // steps of 1/3 at most: the others stay above 0
  options.max_epochs = 1;
  std::vector<double> w = {0};
  const LearnSummary summary = dca(problem, options, w);
  EXPECT_EQ(summary.history.at(0).negative_losses, 1U);
}

TEST(DcaApproximate, ABoundLosesNoStep) {
  const FactorGraphs graphs = random_rings(5, 12);
  const auto model = bounded_rings(graphs, {15, 1e-3}, 3);
  const SmoothProblem<BlockModel<ReweightedFactorGraph>> problem(model);
  DcaOptions options;
  options.lambda = 0.01;
  options.max_epochs = 5;
  std::vector<double> w(kRingFeatures, 0.0);
  const LearnSummary summary = dca(problem, options, w);
  for (const EpochRecord& record : summary.history) {
    EXPECT_EQ(record.negative_losses, 0U);
    EXPECT_EQ(record.updates, 12U);
  }
  EXPECT_LT(summary.history.back().loss, summary.history.front().loss);
}

}  // namespace
}  // namespace trellis::testing
