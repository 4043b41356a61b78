#include "trellis/solve/measures/pairwise_measure_argmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/solve/measures/pairwise_measure_instance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using testing::draw_instance;
using testing::PairwiseMeasureInstance;

double best_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

TEST(PairwiseMeasureArgmax, ExactEqualsEnumeration) {
  Random random(1);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 6000; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(9), random);
    const double optimum = best_of(instance.all_values());
    // With leaves of any size: none, so that all is left to cuts and splits, or everything.
    const PairwiseSearchLimits limits{100000, random.below(6) * 2};
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.exact(limits, y);
    ASSERT_TRUE(answer.proven) << "trial " << trial;
    ASSERT_NEAR(answer.value, optimum, instance.slack()) << "trial " << trial;
    ASSERT_GE(answer.bound, optimum - instance.slack());
    ASSERT_NEAR(instance.value(y), answer.value, instance.slack());
  }
}

TEST(PairwiseMeasureArgmax, ExactEqualsEnumerationForFourteenLabels) {
  Random random(2);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 40; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(14, random);
    const double optimum = best_of(instance.all_values());
    for (const Index leaf : {Index{0}, Index{8}, Index{14}}) {
      std::vector<Label> y;
      argmax.set_problem(instance.problem());
      const PairwiseMeasureAnswer answer = argmax.exact({100000, leaf}, y);
      ASSERT_TRUE(answer.proven) << "trial " << trial;
      ASSERT_NEAR(answer.value, optimum, instance.slack()) << "trial " << trial;
    }
  }
}

TEST(PairwiseMeasureArgmax, BoundsHoldWhereverTheSearchIsStopped) {
  Random random(3);
  PairwiseMeasureArgmax argmax;
  Index proven = 0, open = 0;
  for (Index trial = 0; trial < 3000; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(5 + random.below(6), random);
    const double optimum = best_of(instance.all_values());
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.exact({random.below(4), 0}, y);
    ASSERT_GE(answer.bound, optimum - instance.slack()) << "trial " << trial;
    ASSERT_LE(answer.value, optimum + instance.slack());
    ASSERT_NEAR(instance.value(y), answer.value, instance.slack());
    if (answer.proven) {
      ASSERT_NEAR(answer.value, optimum, instance.slack()) << "trial " << trial;
    }
    ++(answer.proven ? proven : open);
  }
  EXPECT_GT(proven, 300u);
  EXPECT_GT(open, 100u);
}

// Theorem 2.
TEST(PairwiseMeasureArgmax, LabelsOfAlgorithm5AreInAnOptimalSet) {
  Random random(4);
  PairwiseMeasureArgmax argmax;
  Index not_optimal = 0;
  for (Index trial = 0; trial < 5000; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(9), random);
    const std::vector<double> values = instance.all_values();
    const double optimum = best_of(values);
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.algorithm5(y);
    ASSERT_NEAR(instance.value(y), answer.value, instance.slack());
    ASSERT_GE(answer.bound, optimum - instance.slack());
    Index found = 0;
    for (Index v = 0; v < y.size(); ++v) found |= static_cast<Index>(y[v]) << v;
    double best_above = -std::numeric_limits<double>::infinity();
    for (Index bits = 0; bits < values.size(); ++bits) {
      if ((bits & found) == found) best_above = std::max(best_above, values[bits]);
    }
    ASSERT_NEAR(best_above, optimum, instance.slack()) << "trial " << trial;
    if (answer.value < optimum - instance.slack()) ++not_optimal;
  }
  EXPECT_GT(not_optimal, 200u);  // or the tests of the certificate would say nothing
}

// Theorem 6.
TEST(PairwiseMeasureArgmax, Algorithm6NeverCertifiesWhatIsNotOptimal) {
  Random random(5);
  PairwiseMeasureArgmax argmax;
  Index certified = 0, refused = 0;
  const auto check = [&](Index num_labels) {
    const PairwiseMeasureInstance instance = draw_instance(num_labels, random);
    std::vector<Label> y;
    Index cuts = 0;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.algorithm5(y);
    if (!argmax.algorithm6(cuts)) {
      ++refused;
      return;
    }
    ++certified;
    ASSERT_NEAR(answer.value, best_of(instance.all_values()), instance.slack());
  };
  for (Index trial = 0; trial < 6000; ++trial) check(1 + random.below(9));
  for (Index trial = 0; trial < 60; ++trial) check(14);
  EXPECT_GT(certified, 500u);
  EXPECT_GT(refused, 500u);
}

// Lines 2 to 14 of the thesis's Algorithm 5: upward, one k at a time.
Index largest_fixed_point_upward(const PairwiseMeasureInstance& instance) {
  PairwiseCuts cuts;
  cuts.set_problem(instance.unary, instance.pairs, instance.coupling, instance.truth);
  const Index labels = instance.num_labels(), num_true = cuts.num_true();
  std::vector<std::uint8_t> y(labels);
  Index k_max = 0;
  for (Index k = 1; k <= labels;) {
    const double reward = instance.gamma * instance.measure.reward(k, num_true, labels);
    const CountedSet set = cuts.maximize(-reward, 0, y);
    const Index size = set.hits + set.others;
    if (size > k) {
      k_max = k = size;
    } else {
      if (size == k) k_max = k;
      ++k;
    }
  }
  return k_max;
}

TEST(PairwiseMeasureArgmax, DescentFindsWhatTheUpwardSearchOfTheThesisFinds) {
  Random random(6);
  PairwiseMeasureArgmax argmax;
  Index compared = 0, fewer_cuts = 0;
  for (Index trial = 0; trial < 3000; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(20), random);
    const bool any_true = std::count(instance.truth.begin(), instance.truth.end(), 1) > 0;
    const auto kind = instance.measure.kind;
    if (!any_true || instance.gamma == 0) continue;
    if (kind != SetMeasure::Kind::kFBeta && kind != SetMeasure::Kind::kPrecision) continue;
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.algorithm5(y);
    ASSERT_EQ(static_cast<Index>(std::count(y.begin(), y.end(), 1)),
              largest_fixed_point_upward(instance))
        << "trial " << trial;
    ++compared;
    if (answer.cuts <= instance.num_labels()) ++fewer_cuts;
  }
  EXPECT_GT(compared, 1000u);
  EXPECT_EQ(fewer_cuts, compared);
}

TEST(PairwiseMeasureArgmax, WithoutPairsOneCanSortAndTheSearchAgrees) {
  Random random(7);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 100; ++trial) {
    PairwiseMeasureInstance instance = draw_instance(60, random);
    instance.pairs.clear();
    instance.coupling.clear();
    std::vector<double> hits, others;
    for (Index v = 0; v < 60; ++v) {
      (instance.truth[v] != 0 ? hits : others).push_back(instance.unary[v]);
    }
    std::sort(hits.rbegin(), hits.rend());
    std::sort(others.rbegin(), others.rend());
    double optimum = -std::numeric_limits<double>::infinity(), hit_sum = 0;
    for (Index h = 0; h <= hits.size(); ++h) {
      double sum = hit_sum;
      for (Index f = 0; f <= others.size(); ++f) {
        const double loss = instance.measure.loss({h, h + f, hits.size(), 60});
        optimum = std::max(optimum, sum + instance.gamma * loss);
        if (f < others.size()) sum += others[f];
      }
      if (h < hits.size()) hit_sum += hits[h];
    }
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.exact({100000, 0}, y);
    ASSERT_TRUE(answer.proven);
    ASSERT_NEAR(answer.value, optimum, instance.slack());
    // Without pairs H is concave, so the hull has no gap and nothing is split but for rounding.
    EXPECT_LE(answer.subproblems, 20u);
  }
}

TEST(PairwiseMeasureArgmax, ScoresOfAnySizeAreSafe) {
  Random random(11);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 600; ++trial) {
    PairwiseMeasureInstance instance = draw_instance(1 + random.below(8), random);
    const double factor = trial % 2 == 0 ? 1e6 : 1e-9;
    for (double& a : instance.unary) a *= factor;
    for (double& a : instance.coupling) a *= factor;
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer answer = argmax.exact({100000, 0}, y);
    ASSERT_TRUE(answer.proven) << "trial " << trial;
    ASSERT_NEAR(answer.value, best_of(instance.all_values()), instance.slack());
  }
}

TEST(PairwiseMeasureArgmax, NoLabelsHaveOneSet) {
  PairwiseMeasureArgmax argmax;
  using Kind = SetMeasure::Kind;
  for (const Kind kind : {Kind::kFBeta, Kind::kPrecision, Kind::kRecall, Kind::kHamming}) {
    std::vector<Label> y = {1};
    argmax.set_problem({{}, {}, {}, {}, {kind, 1}, 1});
    const PairwiseMeasureAnswer answer = argmax.exact({}, y);
    EXPECT_EQ(answer.value, 0);
    EXPECT_TRUE(answer.proven);
    EXPECT_TRUE(y.empty());
  }
}

TEST(PairwiseMeasureArgmax, EmptySetAgainstEmptyTruthCostsNothing) {
  const std::vector<NodePair> pairs = {{0, 1}};
  const std::vector<double> coupling = {0.5};
  const std::vector<Label> truth = {0, 0, 0};
  PairwiseMeasureArgmax argmax;
  std::vector<Label> y;
  // All others cost 1, and the best of them gives −0.9 or −1.5.
  const std::vector<double> near = {-0.7, -0.7, -3}, far = {-1, -1, -3};
  argmax.set_problem({near, pairs, coupling, truth, {}, 1});
  EXPECT_NEAR(argmax.algorithm5(y).value, 0.3, 1e-12);
  EXPECT_EQ(std::count(y.begin(), y.end(), 1), 1);
  argmax.set_problem({far, pairs, coupling, truth, {}, 1});
  EXPECT_EQ(argmax.algorithm5(y).value, 0);
  EXPECT_EQ(y, (std::vector<Label>{0, 0, 0}));
}

TEST(PairwiseMeasureArgmax, LargeProblemsKeepToTheirLimits) {
  Random random(8);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 20; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(80, random);
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer start = argmax.algorithm5(y);
    const PairwiseMeasureAnswer answer = argmax.improve(start, {40, 6}, y);
    EXPECT_LE(answer.cuts + answer.subproblems, start.cuts + 40 + 1);
    EXPECT_LE(answer.value, answer.bound);
    EXPECT_GE(answer.value, start.value);
    EXPECT_LE(answer.bound, start.bound);
  }
}

TEST(PairwiseMeasureArgmax, NoTimeLeavesTheAnswerOfAlgorithm5AndAValidBound) {
  Random random(10);
  PairwiseMeasureArgmax argmax;
  for (Index trial = 0; trial < 300; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(8, random);
    std::vector<Label> y;
    argmax.set_problem(instance.problem());
    const PairwiseMeasureAnswer start = argmax.algorithm5(y);
    const PairwiseMeasureAnswer answer = argmax.improve(start, {1000, 0, 1e-12}, y);
    EXPECT_GE(answer.value, start.value);
    EXPECT_EQ(answer.cuts, start.cuts);
    EXPECT_GE(answer.bound, best_of(instance.all_values()) - instance.slack());
  }
}

TEST(PairwiseMeasureArgmax, TheSameProblemHasTheSameAnswerWhateverCameBefore) {
  Random random(9);
  PairwiseMeasureArgmax used;
  for (Index trial = 0; trial < 200; ++trial) {
    const PairwiseMeasureInstance instance = draw_instance(1 + random.below(25), random);
    PairwiseMeasureArgmax fresh;
    std::vector<Label> y, again;
    used.set_problem(instance.problem());
    fresh.set_problem(instance.problem());
    const PairwiseMeasureAnswer a = used.exact({50, 5}, y);
    const PairwiseMeasureAnswer b = fresh.exact({50, 5}, again);
    EXPECT_EQ(y, again);
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.cuts, b.cuts);
  }
}

TEST(PairwiseMeasureArgmax, NegativeCouplingsAndOddSizesAreRefused) {
  const std::vector<NodePair> pairs = {{0, 1}};
  const std::vector<double> unary = {1, 1}, negative = {-0.1}, none;
  const std::vector<Label> truth = {1, 0};
  PairwiseMeasureArgmax argmax;
  EXPECT_THROW(argmax.set_problem({unary, pairs, negative, truth, {}, 1}), UsageError);
  EXPECT_THROW(argmax.set_problem({unary, pairs, none, truth, {}, 1}), UsageError);
  const std::vector<double> coupling = {0.1};
  EXPECT_THROW(argmax.set_problem({unary, pairs, coupling, truth, {}, -1}), UsageError);
  EXPECT_THROW(
      argmax.set_problem({unary, pairs, coupling, truth, {SetMeasure::Kind::kFBeta, 0}, 1}),
      UsageError);
}

}  // namespace
}  // namespace trellis
