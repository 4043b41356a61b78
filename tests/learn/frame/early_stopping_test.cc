#include "trellis/learn/frame/early_stopping.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
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
  EarlyStopping early({.patience = 2, .window = 1}, table({1, 3, 2, 2.5, 9}));
  EXPECT_EQ(run(early, 5), 4U);
  EXPECT_EQ(early.best_epoch(), 2U);
  EXPECT_EQ(early.best_metric(), 3);
  std::vector<double> w = {0};
  early.restore_best(w);
  EXPECT_EQ(w[0], 2);
}

TEST(EarlyStopping, AnEqualMetricIsNoImprovement) {
  EarlyStopping early({.patience = 3, .window = 1}, table({1, 1, 1, 1, 1}));
  EXPECT_EQ(run(early, 5), 4U);
  EXPECT_EQ(early.best_epoch(), 1U);
}

TEST(EarlyStopping, WithoutPatienceItOnlyWatches) {
  EarlyStopping early({.patience = 0, .window = 1}, table({5, 1, 1, 1, 1}));
  EXPECT_EQ(run(early, 5), 5U);
  EXPECT_EQ(early.best_epoch(), 1U);
}

TEST(EarlyStopping, AnyNumberIsBetterThanNone) {
  EarlyStopping early({.patience = 5, .window = 1}, table({kUnknown, -2, kUnknown}));
  run(early, 3);
  EXPECT_EQ(early.best_epoch(), 2U);
  EXPECT_EQ(early.best_metric(), -2);
}

TEST(EarlyStopping, GoesOnFromACheckpoint) {
  const std::vector<double> metrics = {1, 3, 2, 2.5, 1, 1};
  EarlyStopping first({.patience = 3, .window = 1}, table(metrics));
  EXPECT_EQ(run(first, 3), 3U);
  Checkpoint checkpoint;
  first.save(checkpoint);
  EarlyStopping second({.patience = 3, .window = 1}, table(metrics));
  second.load(checkpoint);
  EXPECT_EQ(run(second, 6, 4), 5U);
  EXPECT_EQ(second.best_epoch(), 2U);
  EXPECT_EQ(second.best_weights()[0], 2);
}

// ---- windows

// Dev figures as they are: counts, so that sums are exact and equal ones occur.
std::vector<double> some_metrics() {
  const auto counts =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30)));
  return {counts.begin(), counts.end()};
}

double mean_before(const std::vector<double>& metrics, Index epoch, Index window) {
  const Index begin = epoch > window ? epoch - window : 0;
  double sum = 0;
  for (Index k = begin; k < epoch; ++k) sum += metrics[k];
  return sum / static_cast<double>(epoch - begin);
}

RC_GTEST_PROP(EarlyStopping, KeepsTheEndOfTheFirstOfTheBestWindows, ()) {
  const std::vector<double> metrics = some_metrics();
  const auto window = *rc::gen::inRange<Index>(1, 8);
  EarlyStopping early({.patience = 0, .window = window}, table(metrics));
  run(early, metrics.size());
  Index best = 1;
  for (Index epoch = 2; epoch <= metrics.size(); ++epoch) {
    if (mean_before(metrics, epoch, window) > mean_before(metrics, best, window)) best = epoch;
  }
  RC_ASSERT(early.best_epoch() == best);
  RC_ASSERT(early.best_metric() == mean_before(metrics, best, window));
  RC_ASSERT(early.best_weights()[0] == static_cast<double>(best));
}

RC_GTEST_PROP(EarlyStopping, PatienceCountsFromTheBestWindow, ()) {
  const std::vector<double> metrics = some_metrics();
  const auto window = *rc::gen::inRange<Index>(1, 8);
  const auto patience = *rc::gen::inRange<Index>(1, 10);
  EarlyStopping watching({.patience = patience, .window = window}, table(metrics));
  const Index end = run(watching, metrics.size());
  // Up to its end it saw what one without patience would have.
  EarlyStopping whole({.patience = 0, .window = window}, table(metrics));
  run(whole, end);
  RC_ASSERT(watching.best_epoch() == whole.best_epoch());
  RC_ASSERT(end == std::min(metrics.size(), watching.best_epoch() + patience));
}

// One lucky epoch on a plateau does not outweigh a hill as wide as the window.
RC_GTEST_PROP(EarlyStopping, APeakCountsAsFarAsItsNeighboursShareIt, ()) {
  const auto window = *rc::gen::inRange<Index>(2, 8);
  const auto height = *rc::gen::inRange<int>(1, 100);
  std::vector<double> metrics(4 * window, 50.0);
  metrics[window] += height;  // epoch window + 1, alone
  for (Index k = 3 * window; k < 4 * window; ++k) metrics[k] += height;
  EarlyStopping early({.patience = 0, .window = window}, table(metrics));
  run(early, metrics.size());
  RC_ASSERT(early.best_epoch() == metrics.size());
}

RC_GTEST_PROP(EarlyStopping, AWindowSurvivesAnInterruptionAnywhere, ()) {
  const std::vector<double> metrics = some_metrics();
  const EarlyStoppingOptions options{.patience = *rc::gen::inRange<Index>(0, 6),
                                     .window = *rc::gen::inRange<Index>(1, 8)};
  EarlyStopping whole(options, table(metrics));
  const Index end = run(whole, metrics.size());
  const auto cut = *rc::gen::inRange<Index>(1, end + 1);
  EarlyStopping first(options, table(metrics));
  run(first, cut);
  Checkpoint checkpoint;
  first.save(checkpoint);
  EarlyStopping second(options, table(metrics));
  second.load(checkpoint);
  if (cut < end) RC_ASSERT(run(second, metrics.size(), cut + 1) == end);
  RC_ASSERT(second.best_epoch() == whole.best_epoch());
  RC_ASSERT(second.best_metric() == whole.best_metric());
  RC_ASSERT(second.best_weights()[0] == whole.best_weights()[0]);
}

TEST(EarlyStopping, RefusesWindowsThatAreNone) {
  EXPECT_THROW(EarlyStopping({.patience = 1, .window = 0}, table({1})), UsageError);
  EarlyStopping wide({.patience = 0, .window = 5}, table({1, 2, 3}));
  run(wide, 3);
  Checkpoint checkpoint;
  wide.save(checkpoint);
  EarlyStopping narrow({.patience = 0, .window = 2}, table({1, 2, 3}));
  EXPECT_THROW(narrow.load(checkpoint), InputError);
}

TEST(EarlyStopping, ReturnsTheLearnersBestWeights) {
  const ClassificationData data = ClassificationData::random(3, 30, 5, 3);
  const MarginOracle oracle(data);
  EarlyStopping early({.patience = 3, .window = 1},
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
