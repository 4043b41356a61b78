#include "trellis/learn/dual/dca.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/lbfgs.h"

namespace trellis::testing {
namespace {

DcaOptions options(double lambda, Index epochs, DcaDual dual, bool average) {
  DcaOptions options;
  options.lambda = lambda;
  options.max_epochs = epochs;
  options.dual = dual;
  options.average = average;
  return options;
}

TEST(Dca, StepOnTheHingeIsMirasClosedForm) {
  for (const double lambda : {0.0, 0.01, 10.0}) {
    const ClassificationData data = ClassificationData::random(3, 1, 4, 3);
    const MarginOracle oracle(data);
    std::vector<double> start(oracle.dimension());
    Random draw(5);
    for (double& weight : start) weight = 0.1 * draw.normal();
    std::vector<double> w = start;
    dca(oracle, options(lambda, 1, DcaDual::kOnline, false), w);

    Cut cut;
    const auto scratch = oracle.make_scratch();
    const double loss = oracle.evaluate(0, start, *scratch, cut);
    ASSERT_GT(loss, 0);
    const double cap = lambda > 0 ? 1 / lambda : 1e300;
    const double step = std::min(cap, loss / cut.slope.squared_norm());
    cut.slope.add_to(start, -step);
    EXPECT_EQ(w, start);
  }
}

TEST(Dca, ReturnsTheMeanOfTheIteratesBeforeTheirUpdates) {
  const ClassificationData data = ClassificationData::random(8, 12, 4, 3);
  const LogisticOracle oracle(data);
  DcaOptions with_mean = options(0.1, 3, DcaDual::kOnline, true);
  with_mean.order = VisitOrder::kSequential;
  std::vector<double> mean(oracle.dimension());
  dca(oracle, with_mean, mean);

  // Algorithms 1 and 2, literally.
  const double cap = 1 / (0.1 * 12);
  std::vector<double> w(oracle.dimension()), sum(oracle.dimension());
  Cut cut;
  const auto scratch = oracle.make_scratch();
  for (Index t = 0; t < 36; ++t) {
    for (Index j = 0; j < w.size(); ++j) sum[j] += w[j];
    const double loss = oracle.evaluate(t % 12, w, *scratch, cut);
    cut.slope.add_to(w, -std::min(cap, loss / cut.slope.squared_norm()));
  }
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(mean[j], sum[j] / 36, 1e-13);
}

TEST(Dca, FirstEpochIsTheSameInBothModes) {
  const ClassificationData data = ClassificationData::random(8, 40, 5, 3);
  const LogisticOracle smooth(data);
  const MarginOracle margin(data);
  for (const ConvexOracle* oracle :
       {static_cast<const ConvexOracle*>(&smooth), static_cast<const ConvexOracle*>(&margin)}) {
    std::vector<double> online(data.dimension()), stored(data.dimension());
    dca(*oracle, options(0.05, 1, DcaDual::kOnline, false), online);
    dca(*oracle, options(0.05, 1, DcaDual::kStored, false), stored);
    for (Index j = 0; j < online.size(); ++j) EXPECT_NEAR(online[j], stored[j], 1e-12);
  }
}

TEST(Dca, StoredDualReportsARisingBoundForFree) {
  const ClassificationData data = ClassificationData::random(9, 40, 5, 3);
  const MarginOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = dca(oracle, options(0.05, 30, DcaDual::kStored, false), w);
  double last = 0;
  for (const EpochRecord& record : summary.history) {
    EXPECT_GE(record.bound, last);
    EXPECT_EQ(record.passes, 1U);
    last = record.bound;
  }
  EXPECT_GT(last, 0.9 * objective(oracle, w, 0.05));
}

TEST(Dca, StoredDualFindsTheMinimumOfSmoothLosses) {
  constexpr double kLambda = 0.1;
  const LeastSquaresOracle oracle(2, 15, 4);
  const std::vector<double> minimum = oracle.minimum(kLambda);
  std::vector<double> w(4);
  dca(oracle, options(kLambda, 3000, DcaDual::kStored, false), w);
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(w[j], minimum[j], 1e-6);
}

TEST(Dca, StoredDualOfAnOptimalStartIsOptimal) {
  constexpr double kLambda = 0.1;
  const LeastSquaresOracle oracle(2, 15, 4);
  std::vector<double> w = oracle.minimum(kLambda);
  const double best = objective(oracle, w, kLambda);
  const LearnSummary summary = dca(oracle, options(kLambda, 1, DcaDual::kStored, false), w);
  EXPECT_NEAR(summary.bound, best, 1e-9);
}

TEST(Dca, StoredDualAgreesWithLbfgs) {
  const ClassificationData data = ClassificationData::random(10, 50, 5, 4);
  const LogisticOracle oracle(data);
  LbfgsOptions exact;
  exact.lambda = 0.05;
  exact.epsilon = 1e-9;
  exact.delta = 0;
  std::vector<double> expected(oracle.dimension()), found(oracle.dimension());
  lbfgs(oracle, exact, expected);
  dca(oracle, options(0.05, 1000, DcaDual::kStored, false), found);
  for (Index j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], expected[j], 1e-6);
}

TEST(Dca, ConvergesWhenAnEpochChangesNothing) {
  // Two examples that one direction separates; C is large enough for a margin of 1.
  ClassificationData data;
  data.num_labels = 2;
  data.num_attributes = 1;
  data.examples = {{{0}, {1.0}, 0}, {{0}, {-1.0}, 1}};
  const MarginOracle oracle(data);
  std::vector<double> w(2);
  const LearnSummary summary = dca(oracle, options(0.01, 100, DcaDual::kOnline, false), w);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_LE(summary.epochs, 3U);
  EXPECT_EQ(summary.history.back().updates, 0U);
  EXPECT_NEAR(w[0] - w[1], 1, 1e-12);
}

TEST(Dca, RefusesOptionsThatDoNotFit) {
  const LeastSquaresOracle oracle(2, 3, 2);
  std::vector<double> w(2);
  EXPECT_THROW(dca(oracle, options(-1, 1, DcaDual::kOnline, true), w), UsageError);
  EXPECT_THROW(dca(oracle, options(0, 1, DcaDual::kStored, true), w), UsageError);
}

}  // namespace
}  // namespace trellis::testing
