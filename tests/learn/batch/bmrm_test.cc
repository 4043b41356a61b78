#include "trellis/learn/batch/bmrm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/bundle.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::testing {
namespace {

constexpr double kLambda = 0.05;

struct Cuts {
  std::vector<std::vector<double>> slopes;
  std::vector<double> offsets;

  static Cuts random(Random& draw, Index count, Index dimension) {
    Cuts cuts;
    for (Index k = 0; k < count; ++k) {
      std::vector<double> slope(dimension);
      for (double& value : slope) value = draw.normal();
      cuts.slopes.push_back(slope);
      cuts.offsets.push_back(draw.normal() + 0.5);
    }
    return cuts;
  }

  // λ/2 ‖w‖² + max{0, max_k b_k + ⟨a_k, w⟩}
  double primal(std::span<const double> w, double lambda) const {
    double highest = 0;
    for (Index k = 0; k < slopes.size(); ++k) {
      highest = std::max(
          highest, offsets[k] + std::inner_product(w.begin(), w.end(), slopes[k].begin(), 0.0));
    }
    return lambda / 2 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0) + highest;
  }
};

// Strong duality is the proof: the primal value at the minimizer equals the bound.
TEST(Bundle, PrimalAndDualMeet) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random draw(seed);
    const double lambda = std::pow(10.0, -3 + 4 * draw.uniform());
    const Cuts cuts = Cuts::random(draw, 1 + draw.below(25), 8);
    std::vector<WeightRange> ranges;
    if (seed % 3 == 1) ranges = {{0, 8}};
    if (seed % 3 == 2) ranges = {{1, 3}, {5, 6}};
    Bundle bundle(8, lambda, ranges, 1);
    double last = 0;
    for (Index k = 0; k < cuts.slopes.size(); ++k) {
      bundle.add(cuts.slopes[k], cuts.offsets[k]);
      bundle.solve();
      EXPECT_GE(bundle.bound(), last - 1e-12);
      last = bundle.bound();
    }
    const std::span<const double> w = bundle.minimizer();
    for (const WeightRange& range : ranges) {
      for (Index j = range.begin; j < range.end; ++j) EXPECT_GE(w[j], 0);
    }
    const double primal = cuts.primal(w, lambda);
    EXPECT_NEAR(primal, bundle.bound(), 1e-10 * std::max(1.0, primal)) << "seed " << seed;
  }
}

TEST(Bundle, ShrinkingNeverLowersTheBound) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random draw(seed);
    const Cuts cuts = Cuts::random(draw, 30, 6);
    std::vector<WeightRange> ranges;
    if (seed % 2 == 1) ranges = {{2, 5}};
    Bundle bundle(6, 0.1, ranges, 1);
    double last = 0;
    for (Index k = 0; k < cuts.slopes.size(); ++k) {
      bundle.add(cuts.slopes[k], cuts.offsets[k]);
      bundle.solve();
      bundle.shrink(3, 4);
      EXPECT_LE(bundle.num_cuts(), 4U);
      bundle.solve();
      EXPECT_GE(bundle.bound(), last - 1e-12);
      EXPECT_LE(bundle.bound(), cuts.primal(bundle.minimizer(), 0.1) + 1e-12);
      last = bundle.bound();
    }
  }
}

TEST(Bundle, TheSameCutTwiceChangesNothing) {
  Random draw(3);
  const Cuts cuts = Cuts::random(draw, 5, 4);
  Bundle once(4, 0.2, {}, 1);
  Bundle twice(4, 0.2, {}, 1);
  for (Index k = 0; k < 5; ++k) {
    once.add(cuts.slopes[k], cuts.offsets[k]);
    twice.add(cuts.slopes[k], cuts.offsets[k]);
    twice.add(cuts.slopes[k], cuts.offsets[k]);
    once.solve();
    twice.solve();
    EXPECT_NEAR(once.bound(), twice.bound(), 1e-13);
  }
}

TEST(Bmrm, FindsTheMinimumOfLeastSquares) {
  const LeastSquaresOracle oracle(3, 20, 6);
  const std::vector<double> expected = oracle.minimum(kLambda);
  std::vector<double> w(6);
  BmrmOptions options;
  options.lambda = kLambda;
  LearnControl control;
  control.gap_tolerance = 1e-12;
  const LearnSummary summary = bmrm(oracle, options, w, control);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  for (Index j = 0; j < 6; ++j) EXPECT_NEAR(w[j], expected[j], 1e-5);
}

TEST(Bmrm, ObjectiveNeverRisesAndTheReturnedWeightsAreTheBest) {
  const ClassificationData data = ClassificationData::random(9, 60, 8, 4);
  const MarginOracle oracle(data);
  for (const bool line_search : {false, true}) {
    BmrmOptions options;
    options.lambda = 0.002;
    options.max_iterations = 60;
    options.line_search = line_search;
    std::vector<double> w(oracle.dimension());
    double last = std::numeric_limits<double>::infinity();
    LearnControl control;
    control.observer = [&](EpochRecord& record, std::span<const double> best) {
      EXPECT_LE(record.objective, last);
      EXPECT_NEAR(record.objective, objective(oracle, best, options.lambda), 1e-12);
      last = record.objective;
      return true;
    };
    bmrm(oracle, options, w, control);
    EXPECT_NEAR(objective(oracle, w, options.lambda), last, 1e-12);
  }
}

TEST(Bmrm, StopsByItselfWhereNoStepIsLeft) {
  const ClassificationData data = ClassificationData::random(10, 20, 4, 3);
  const MarginOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  BmrmOptions options;
  options.lambda = kLambda;
  options.max_iterations = 5000;
  const LearnSummary summary = bmrm(oracle, options, w);
  EXPECT_NE(summary.termination, Termination::kMaxEpochs);
  EXPECT_LE(summary.gap(), 1e-12);
}

TEST(Bmrm, OptionsThatDoNotFitAreRefused) {
  const LeastSquaresOracle oracle(1, 3, 2);
  std::vector<double> w(2);
  const auto run = [&](auto change) {
    BmrmOptions options;
    change(options);
    bmrm(oracle, options, w);
  };
  EXPECT_THROW(run([](BmrmOptions& o) { o.lambda = 0; }), UsageError);
}

}  // namespace
}  // namespace trellis::testing
