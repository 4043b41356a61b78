// DCA with losses of sums that are not exact.
#include <gtest/gtest.h>

#include <vector>

#include "tests/problem/fixed_sums.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {
namespace {

// L_i(w) = a_i + w_i, which an estimate may well have below 0.
class LinearLosses final : public ApproximateOracle {
 public:
  explicit LinearLosses(std::vector<double> offsets) : offsets_(std::move(offsets)) {}
  Index num_examples() const override { return offsets_.size(); }
  Index dimension() const override { return offsets_.size(); }
  Convergence convergence(const Scratch&) const override { return {}; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  double evaluate(Index i, std::span<const double> w, Scratch&, Cut& cut) const override {
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
