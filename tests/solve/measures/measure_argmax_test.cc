#include "trellis/solve/measures/measure_argmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

using Kind = SetMeasure::Kind;
using Set = std::vector<Label>;

constexpr ArgmaxAlgorithm kAlgorithms[] = {ArgmaxAlgorithm::kMerged, ArgmaxAlgorithm::kBounded,
                                           ArgmaxAlgorithm::kNaive};

std::vector<SetMeasure> all_measures() {
  std::vector<SetMeasure> measures = {{Kind::kPrecision}, {Kind::kRecall}, {Kind::kHamming}};
  for (const double beta : {0.01, 0.1, 0.5, 1.0, 2.0, 10.0, 100.0}) {
    measures.push_back({Kind::kFBeta, beta});
  }
  return measures;
}

std::string name(const SetMeasure& measure) {
  return std::to_string(static_cast<int>(measure.kind)) + ", beta " + std::to_string(measure.beta);
}

struct Instance {
  double gamma = 1;
  std::vector<double> s;
  std::vector<std::uint32_t> truth;

  double magnitude() const {
    double sum = gamma;
    for (const double score : s) sum += std::abs(score);
    return sum;
  }
};

// Scores at the size of the rewards, far above, at their very thresholds, or all over.
double draw_score(Index kind, const SetMeasure& measure, const Instance& instance, Index size,
                  Random& random) {
  const double reward = measure.reward(1 + random.below(size), 1 + instance.truth.size(), size);
  switch (kind) {
    case 0:
      return random.normal();
    case 1:
      return instance.gamma * reward * random.normal();
    case 2:
      return instance.gamma * reward * (static_cast<double>(random.below(5)) - 2);
    case 3:
      return static_cast<double>(random.below(3)) - 1;
    case 4:
      return 1e6 * (2 * random.uniform() - 1);
    case 5:  // most matter, and some decide alone
      return random.below(4) == 0 ? 1e6 * random.normal() : 0.2 * instance.gamma * random.normal();
    default:
      return random.below(3) == 0 ? 0.01 * random.normal() : 0;
  }
}

Instance draw_instance(const SetMeasure& measure, Index max_size, Random& random) {
  constexpr double kGammas[] = {1, 1, 1, 0, 0.01, 30};
  Instance instance;
  instance.gamma = kGammas[random.below(6)];
  const Index size = random.below(max_size + 1);
  // All of them, none, and any share between.
  const double share = static_cast<double>(random.below(6)) / 5;
  for (std::uint32_t v = 0; v < size; ++v) {
    if (random.uniform() < share) instance.truth.push_back(v);
  }
  const Index kind = random.below(7);
  // True items may be told apart well, badly or not at all.
  const double shift = kind == 1 ? static_cast<double>(random.below(3)) / 4 : 0;
  for (Index v = 0; v < size; ++v) {
    instance.s.push_back(draw_score(kind, measure, instance, size, random));
  }
  for (const std::uint32_t v : instance.truth) instance.s[v] += shift * instance.gamma;
  return instance;
}

// By the definition: all 2^V sets.
double enumerate(const SetMeasure& measure, const Instance& instance) {
  const Index size = instance.s.size();
  static std::vector<double> sums;
  sums.assign(Index{1} << size, 0);
  Index truth = 0;
  for (const std::uint32_t v : instance.truth) truth |= Index{1} << v;
  double best = instance.gamma * measure.loss({0, 0, instance.truth.size(), size});
  for (Index set = 1; set < sums.size(); ++set) {
    const auto first = static_cast<Index>(__builtin_ctzll(set));
    sums[set] = sums[set & (set - 1)] + instance.s[first];
    const SetCounts counts{static_cast<Index>(__builtin_popcountll(set & truth)),
                           static_cast<Index>(__builtin_popcountll(set)), instance.truth.size(),
                           size};
    best = std::max(best, sums[set] + instance.gamma * measure.loss(counts));
  }
  return best;
}

double solve(const SetMeasure& measure, const Instance& instance, ArgmaxAlgorithm algorithm,
             MeasureArgmaxScratch& scratch, Set& y) {
  y.assign(instance.s.size(), 7);
  return measure_argmax(measure, instance.gamma, instance.s, instance.truth, scratch, y, algorithm);
}

// The value of y by the definition, to more digits.
double value_of(const SetMeasure& measure, const Instance& instance, const Set& y) {
  long double sum = 0;
  SetCounts counts{0, 0, instance.truth.size(), instance.s.size()};
  for (Index v = 0; v < y.size(); ++v) {
    EXPECT_TRUE(y[v] == 0 || y[v] == 1);
    if (y[v] == 0) continue;
    sum += instance.s[v];
    ++counts.predicted;
    if (std::binary_search(instance.truth.begin(), instance.truth.end(), v)) ++counts.hits;
  }
  return static_cast<double>(sum + static_cast<long double>(instance.gamma) * measure.loss(counts));
}

class EachMeasure : public ::testing::TestWithParam<SetMeasure> {};

TEST_P(EachMeasure, AllAlgorithmsEqualEnumerationOnTenThousandInstances) {
  Random random(1);
  MeasureArgmaxScratch scratch;
  Set y;
  for (Index trial = 0; trial < 10000; ++trial) {
    const Instance instance = draw_instance(GetParam(), 12, random);
    const double best = enumerate(GetParam(), instance);
    for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
      const double value = solve(GetParam(), instance, algorithm, scratch, y);
      const double tolerance = 1e-12 * instance.magnitude();
      ASSERT_NEAR(value, best, tolerance)
          << "trial " << trial << ", algorithm " << static_cast<int>(algorithm) << ", measure "
          << name(GetParam());
      ASSERT_NEAR(value, value_of(GetParam(), instance, y), tolerance) << "trial " << trial;
    }
  }
}

TEST_P(EachMeasure, AllAlgorithmsAgreeOnLargerSets) {
  Random random(2);
  MeasureArgmaxScratch scratch;
  Set y;
  for (Index trial = 0; trial < 60; ++trial) {
    const Instance instance = draw_instance(GetParam(), 300, random);
    const double tolerance = 1e-12 * instance.magnitude();
    const double naive = solve(GetParam(), instance, ArgmaxAlgorithm::kNaive, scratch, y);
    for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
      const double value = solve(GetParam(), instance, algorithm, scratch, y);
      ASSERT_NEAR(value, naive, tolerance)
          << "trial " << trial << ", algorithm " << static_cast<int>(algorithm);
      ASSERT_NEAR(value, value_of(GetParam(), instance, y), tolerance);
    }
  }
}

// Hundreds of items that are worth taking only to lower the reward of hits.
TEST_P(EachMeasure, AllAlgorithmsAgreeWhereManyItemsLieJustBelowZero) {
  Random random(6);
  MeasureArgmaxScratch scratch;
  Set y;
  for (Index trial = 0; trial < 30; ++trial) {
    Instance instance;
    const Index size = 300 + random.below(200);
    const double share = 0.01 + 0.3 * random.uniform();
    for (std::uint32_t v = 0; v < size; ++v) {
      if (random.uniform() < share) instance.truth.push_back(v);
    }
    const Index p = instance.truth.size();
    const double reward = GetParam().reward(p + 1, p + 1, size);
    const double width = reward * std::pow(10.0, -4 * random.uniform());
    for (Index v = 0; v < size; ++v) instance.s.push_back(width * (0.02 - random.uniform()));
    for (const std::uint32_t v : instance.truth) instance.s[v] = reward * 2 * random.uniform();
    const double naive = solve(GetParam(), instance, ArgmaxAlgorithm::kNaive, scratch, y);
    for (const ArgmaxAlgorithm algorithm : {ArgmaxAlgorithm::kMerged, ArgmaxAlgorithm::kBounded}) {
      const double value = solve(GetParam(), instance, algorithm, scratch, y);
      ASSERT_NEAR(value, naive, 1e-12 * instance.magnitude()) << "trial " << trial;
    }
  }
}

TEST_P(EachMeasure, EqualScoresOfZeroGiveTheFewestItemsWithTheLargestLoss) {
  MeasureArgmaxScratch scratch;
  Set y;
  for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
    const Instance instance{1, std::vector<double>(6, 0.0), {1, 4}};
    EXPECT_EQ(solve(GetParam(), instance, algorithm, scratch, y), 1);
    // To be wrong everywhere is what Hamming punishes most; the others need no more than nothing.
    const bool hamming = GetParam().kind == Kind::kHamming;
    EXPECT_EQ(y, hamming ? (Set{1, 0, 1, 1, 0, 1}) : Set(6, 0));
  }
}

TEST_P(EachMeasure, AnEmptyTruthIsPunishedByASingleItemOrMore) {
  MeasureArgmaxScratch scratch;
  Set y;
  for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
    if (GetParam().kind == Kind::kHamming) continue;
    EXPECT_DOUBLE_EQ(solve(GetParam(), {1, {-3, -0.25, -0.25}, {}}, algorithm, scratch, y), 0.75);
    EXPECT_EQ(y, (Set{0, 1, 0}));
    EXPECT_EQ(solve(GetParam(), {1, {-3, -1, -2}, {}}, algorithm, scratch, y), 0);
    EXPECT_EQ(y, (Set{0, 0, 0}));
    EXPECT_EQ(solve(GetParam(), {1, {2, 0, 5}, {}}, algorithm, scratch, y), 8);
    EXPECT_EQ(y, (Set{1, 0, 1}));
  }
}

TEST_P(EachMeasure, WithoutALossThePositiveItemsAreTaken) {
  MeasureArgmaxScratch scratch;
  Set y;
  for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
    EXPECT_EQ(solve(GetParam(), {0, {1, -1, 0, 2, 0, -3}, {0, 2, 5}}, algorithm, scratch, y), 3);
    EXPECT_EQ(y, (Set{1, 0, 0, 1, 0, 0}));
  }
}

TEST_P(EachMeasure, NoItemsAtAllHaveNoValue) {
  MeasureArgmaxScratch scratch;
  Set y;
  for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
    EXPECT_EQ(solve(GetParam(), {1, {}, {}}, algorithm, scratch, y), 0);
  }
}

// Where a large score stands beside small ones, merged still chooses among the small ones rightly:
// the value relative to the choice without the large one is as good as if it were not there.
TEST_P(EachMeasure, LargeScoresDoNotBlurTheChoiceAmongSmallOnes) {
  Random random(3);
  MeasureArgmaxScratch scratch;
  Set y;
  for (Index trial = 0; trial < 300; ++trial) {
    Instance instance = draw_instance(GetParam(), 11, random);
    for (double& score : instance.s) score = 0.2 * random.normal();
    instance.s.push_back(1e15);  // an other, which is in every best set
    solve(GetParam(), instance, ArgmaxAlgorithm::kMerged, scratch, y);
    ASSERT_EQ(y.back(), 1);
    instance.s.back() = 100;
    EXPECT_NEAR(value_of(GetParam(), instance, y), enumerate(GetParam(), instance), 1e-12 * 100);
  }
}

INSTANTIATE_TEST_SUITE_P(SetMeasure, EachMeasure, ::testing::ValuesIn(all_measures()));

TEST(MeasureArgmax, OneScratchServesSetsOfAllSizes) {
  Random random(4);
  MeasureArgmaxScratch reused;
  Set y, again;
  for (Index trial = 0; trial < 200; ++trial) {
    const SetMeasure measure{Kind::kFBeta, 1};
    const Instance instance = draw_instance(measure, 60, random);
    for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
      MeasureArgmaxScratch fresh;
      EXPECT_EQ(solve(measure, instance, algorithm, fresh, y),
                solve(measure, instance, algorithm, reused, again));
      EXPECT_EQ(y, again);
    }
  }
}

// β = 1, p = 2: with one hit, r(1) = 2/3, r(2) = 1/2 … An other of score −0.05 is worth 1/6 there.
TEST(MeasureArgmax, AnItemOfNegativeScoreIsTakenToLowerTheRewardOfAHit) {
  MeasureArgmaxScratch scratch;
  Set y;
  for (const ArgmaxAlgorithm algorithm : kAlgorithms) {
    const Instance instance{1, {5, -9, -0.05, -4}, {0, 1}};
    EXPECT_NEAR(solve({Kind::kFBeta, 1}, instance, algorithm, scratch, y), 5 - 0.05 + 1 - 0.5,
                1e-14);
    EXPECT_EQ(y, (Set{1, 0, 1, 0}));
  }
}

TEST(ChosenSum, AddsWhatIsChosen) {
  Random random(5);
  for (Index size = 0; size < 30; ++size) {
    std::vector<double> s(size);
    Set y(size);
    double sum = 0;
    for (Index v = 0; v < size; ++v) {
      s[v] = static_cast<double>(random.below(100));
      y[v] = static_cast<Label>(random.below(2));
      sum += y[v] != 0 ? s[v] : 0;
    }
    EXPECT_EQ(chosen_sum(s, y), sum);
  }
}

}  // namespace
}  // namespace trellis
