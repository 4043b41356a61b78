#include "trellis/learn/frame/early_stopping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/learn/dual/dca.h"

namespace trellis::testing {
namespace {

// Epoch k has weights {k} and the k-th metric. Returns the epochs that were run.
Index run(EarlyStopping& early, Index epochs, Index first = 1) {
  for (Index epoch = first; epoch <= epochs; ++epoch) {
    EpochRecord record;
    record.epoch = epoch;
    const std::vector<double> w = {static_cast<double>(epoch)};
    if (!early.observe(record, w)) return epoch;
  }
  return epochs;
}

EarlyStopping::Metric table(std::vector<double> metrics) {
  return [metrics = std::move(metrics)](std::span<const double> w) {
    return metrics[static_cast<Index>(w[0]) - 1];
  };
}

TEST(EarlyStopping, EndsAfterItsPatienceAndKeepsTheBest) {
  EarlyStopping early({.patience = 2, .min_improvement = 0}, table({1, 3, 2, 2.5, 9}));
  EXPECT_EQ(run(early, 5), 4U);
  EXPECT_EQ(early.best_epoch(), 2U);
  EXPECT_EQ(early.best_metric(), 3);
  std::vector<double> w = {0};
  early.restore_best(w);
  EXPECT_EQ(w[0], 2);
}

TEST(EarlyStopping, AnEqualMetricIsNoImprovement) {
  EarlyStopping early({.patience = 3, .min_improvement = 0}, table({1, 1, 1, 1, 1}));
  EXPECT_EQ(run(early, 5), 4U);
  EXPECT_EQ(early.best_epoch(), 1U);
}

TEST(EarlyStopping, SmallImprovementsDoNotCountIfSoAsked) {
  EarlyStopping early({.patience = 2, .min_improvement = 0.5}, table({1, 1.4, 1.45, 9}));
  EXPECT_EQ(run(early, 4), 3U);
  EXPECT_EQ(early.best_epoch(), 1U);
}

TEST(EarlyStopping, WithoutPatienceItOnlyWatches) {
  EarlyStopping early({.patience = 0, .min_improvement = 0}, table({5, 1, 1, 1, 1}));
  EXPECT_EQ(run(early, 5), 5U);
  EXPECT_EQ(early.best_epoch(), 1U);
}

TEST(EarlyStopping, AnyNumberIsBetterThanNone) {
  EarlyStopping early({.patience = 5, .min_improvement = 0}, table({kUnknown, -2, kUnknown}));
  run(early, 3);
  EXPECT_EQ(early.best_epoch(), 2U);
  EXPECT_EQ(early.best_metric(), -2);
}

TEST(EarlyStopping, GoesOnFromACheckpoint) {
  const std::vector<double> metrics = {1, 3, 2, 2.5, 1, 1};
  EarlyStopping first({.patience = 3, .min_improvement = 0}, table(metrics));
  EXPECT_EQ(run(first, 3), 3U);
  Checkpoint checkpoint;
  first.save(checkpoint);
  EarlyStopping second({.patience = 3, .min_improvement = 0}, table(metrics));
  second.load(checkpoint);
  EXPECT_EQ(run(second, 6, 4), 5U);
  EXPECT_EQ(second.best_epoch(), 2U);
  EXPECT_EQ(second.best_weights()[0], 2);
}

TEST(EarlyStopping, ReturnsTheLearnersBestWeights) {
  const ClassificationData data = ClassificationData::random(3, 30, 5, 3);
  const MarginOracle oracle(data);
  EarlyStopping early({.patience = 3, .min_improvement = 0},
                      [&](std::span<const double> w) { return -objective(oracle, w, 0.05); });
  DcaOptions options;
  options.lambda = 0.05;
  options.max_epochs = 500;
  LearnControl control;
  control.observer = early.observer();
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = dca(oracle, options, w, control);
  EXPECT_EQ(summary.termination, Termination::kObserver);
  EXPECT_EQ(summary.epochs, early.best_epoch() + 3);
  early.restore_best(w);
  double best = -1e9;
  for (const EpochRecord& record : summary.history) best = std::max(best, record.dev);
  EXPECT_EQ(-objective(oracle, w, 0.05), best);
}

}  // namespace
}  // namespace trellis::testing
