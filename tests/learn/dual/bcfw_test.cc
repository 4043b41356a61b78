#include "trellis/learn/dual/bcfw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/dual_point.h"
#include "trellis/learn/dual/stored_dual.h"

namespace trellis::testing {
namespace {

constexpr double kLambda = 0.05;

LearnControl certified_gap(double gap_tolerance = 0) {
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = gap_tolerance;
  return control;
}

BcfwOptions plain() {
  BcfwOptions options;
  options.lambda = kLambda;
  options.cache_size = 0;
  return options;
}

TEST(Bcfw, WithoutCacheIsDcaWithAStoredDual) {
  const ClassificationData data = ClassificationData::random(3, 40, 6, 4);
  const MarginOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  std::vector<double> v(oracle.dimension());
  BcfwOptions options = plain();
  options.max_epochs = 7;
  bcfw(oracle, options, w);
  DcaOptions stored;
  stored.lambda = kLambda;
  stored.dual = DcaDual::kStored;
  stored.max_epochs = 7;
  dca(oracle, stored, v);
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], 1e-12);
}

// By the recursion as the paper writes it, with all vectors dense.
TEST(Bcfw, TheMeanIsThatOfThePaper) {
  const ClassificationData data = ClassificationData::random(4, 15, 5, 3);
  const MarginOracle oracle(data);
  const Index n = oracle.num_examples();
  BcfwOptions options = plain();
  options.order = VisitOrder::kSequential;
  options.max_epochs = 4;
  options.average = BcfwAverage::kWeighted;
  std::vector<double> w(oracle.dimension());
  bcfw(oracle, options, w);

  std::vector<double> mean(oracle.dimension());
  std::vector<double> now(oracle.dimension());
  StoredDual dual(oracle, kLambda, 0, now);
  const auto scratch = oracle.make_scratch();
  Cut cut;
  for (Index t = 0; t < 4 * n; ++t) {
    const Index i = t % n;
    const double loss = oracle.evaluate(i, now, *scratch, cut);
    const double gap = loss - dual.evaluate(i);
    if (gap > 0) dual.step_towards(i, cut, gap);
    const double k = static_cast<double>(t);
    for (Index j = 0; j < mean.size(); ++j) {
      mean[j] = k / (k + 2) * mean[j] + 2 / (k + 2) * now[j];
    }
  }
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], mean[j], 1e-12);
}

TEST(Bcfw, CachedCutsSaveOracleCalls) {
  const ClassificationData data = ClassificationData::random(5, 80, 10, 5);
  const MarginOracle margin(data);
  const auto calls_to_gap = [&](BcfwOptions options) {
    CallCounter counter;
    const CountedKBest oracle(margin, counter);
    options.lambda = 0.01;
    options.max_epochs = 3000;
    counter.restart(0);
    std::vector<double> w(oracle.dimension());
    const LearnSummary summary = bcfw(oracle, options, w, certified_gap(1e-3));
    EXPECT_EQ(summary.termination, Termination::kConverged);
    return counter.calls();
  };
  BcfwOptions without = plain();
  BcfwOptions cached;
  const Index most = calls_to_gap(without);
  EXPECT_LT(2 * calls_to_gap(cached), most);
}

TEST(Bcfw, CertifiesEveryFewEpochsAndAtTheEnd) {
  const ClassificationData data = ClassificationData::random(6, 30, 6, 3);
  const MarginOracle oracle(data);
  BcfwOptions options;
  options.lambda = kLambda;
  options.max_epochs = 8;
  options.gap_every = 3;
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = bcfw(oracle, options, w, certified_gap());
  double bound = 0;
  for (const EpochRecord& record : summary.history) {
    const bool due = record.epoch % 3 == 0 || record.epoch == 8;
    EXPECT_EQ(std::isfinite(record.gap()), due) << record.epoch;
    EXPECT_GE(record.bound, bound);
    bound = record.bound;
  }
  EXPECT_NEAR(summary.objective, objective(oracle, w, kLambda), 1e-12);
}

TEST(Bcfw, ThePassComesEarlyWhenTheVisitsPromiseThatTheGapIsMet) {
  const ClassificationData data = ClassificationData::random(6, 30, 6, 3);
  const MarginOracle oracle(data);
  BcfwOptions options;
  options.lambda = kLambda;
  options.max_epochs = 1000;
  options.gap_every = 1000;
  std::vector<double> w(oracle.dimension());
  const LearnSummary summary = bcfw(oracle, options, w, certified_gap(1e-3));
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_LT(summary.epochs, 1000U);
  EXPECT_LE(summary.gap(), 1e-3);
}

TEST(Bcfw, OptionsThatDoNotFitAreRefused) {
  const ClassificationData data = ClassificationData::random(6, 3, 3, 3);
  const MarginOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  const auto run = [&](auto change) {
    BcfwOptions options;
    change(options);
    bcfw(oracle, options, w);
  };
  EXPECT_THROW(run([](BcfwOptions& o) { o.lambda = 0; }), UsageError);
  EXPECT_THROW(run([](BcfwOptions& o) { o.gap_every = 0; }), UsageError);
}

// An oracle of which only the sizes matter.
class Sizes final : public TestOracle<HingeOracle, Sizes> {
 public:
  Sizes(Index n, Index dimension, std::vector<WeightRange> ranges)
      : n_(n), dimension_(dimension), ranges_(std::move(ranges)) {}
  Index num_examples() const override { return n_; }
  Index dimension() const override { return dimension_; }
  std::span<const WeightRange> nonnegative() const override { return ranges_; }
  double evaluate_cut(Index, std::span<const double>, TestScratch&, Cut&) const { return 0; }

 private:
  Index n_;
  Index dimension_;
  std::vector<WeightRange> ranges_;
};

SparseVector random_slope(Random& draw, Index dimension) {
  SparseVector slope;
  for (Index j = 0; j < dimension; ++j) {
    if (draw.uniform() < 0.6) slope.append(j, 1)[0] = draw.normal();
  }
  return slope;
}

TEST(DualPoint, TheBestStepHasTheHighestBound) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random draw(seed);
    std::vector<WeightRange> ranges;
    if (seed % 3 == 1) ranges = {{0, 8}};
    if (seed % 3 == 2) ranges = {{1, 3}, {4, 7}};
    const Sizes oracle(5, 8, ranges);
    std::vector<double> w(8);
    DualPoint point(oracle, 0.3, w);
    point.begin_sum();
    for (int i = 0; i < 5; ++i) point.add(random_slope(draw, 8), draw.uniform());
    point.end_sum();
    const SparseVector change = random_slope(draw, 8);
    const double offset_change = 2 * draw.uniform();
    const double limit = 0.2 + draw.uniform();
    const double rise = offset_change + change.dot(point.weights());
    const double step = point.best_step(change, rise, limit);
    ASSERT_GE(step, 0);
    ASSERT_LE(step, limit);
    const auto bound_after = [&](double theta) {
      std::vector<double> v(8);
      DualPoint moved(oracle, 0.3, v);
      Checkpoint checkpoint;
      point.save(checkpoint);
      moved.load(checkpoint);
      moved.move(change, offset_change, theta);
      return moved.bound();
    };
    const double best = bound_after(step);
    for (int k = 0; k <= 100; ++k) {
      EXPECT_GE(best, bound_after(limit * k / 100) - 1e-12) << "seed " << seed;
    }
  }
}

TEST(StoredDual, MassMovesUntilNoAtomIsHigherThanThoseWithMass) {
  for (const bool restricted : {false, true}) {
    Random draw(7);
    const Sizes oracle(3, 10,
                       restricted ? std::vector<WeightRange>{{2, 6}} : std::vector<WeightRange>{});
    std::vector<double> w(10);
    StoredDual dual(oracle, 0.5, 6, w);
    double last = 0;
    for (int t = 0; t < 200; ++t) {
      const Index i = draw.below(3);
      Cut cut{draw.uniform(), random_slope(draw, 10)};
      dual.evaluate(i);
      dual.insert(i, cut, cut.value(w));
      dual.shift(i, 1e-10, 1000);
      // Complementary slackness: the combination is as high as the highest atom.
      EXPECT_NEAR(dual.evaluate(i), dual.highest(i), 1e-9) << t;
      EXPECT_GE(dual.point().bound(), last - 1e-12);
      last = dual.point().bound();
      // What the steps made of u is what the atoms add up to.
      const std::vector<double> before(w);
      dual.refresh();
      for (Index j = 0; j < 10; ++j) EXPECT_NEAR(w[j], before[j], 1e-12);
    }
  }
}

}  // namespace
}  // namespace trellis::testing
