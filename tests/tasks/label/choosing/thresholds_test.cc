#include "trellis/tasks/label/choosing/thresholds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::label {
namespace {

using Kind = SetMeasure::Kind;

double value_at(std::span<const double> scores, std::span<const std::uint8_t> truth,
                const SetMeasure& measure, double t) {
  SetCounts counts;
  counts.items = scores.size();
  for (Index i = 0; i < scores.size(); ++i) {
    counts.truth += truth[i];
    if (!(scores[i] > t)) continue;
    ++counts.predicted;
    counts.hits += truth[i];
  }
  return measure.score(counts);
}

// Scores with many ties.
std::vector<double> draw_scores(Index n, Random& random) {
  std::vector<double> scores(n);
  for (double& score : scores) score = static_cast<double>(random.below(7)) - 3;
  return scores;
}

std::vector<std::uint8_t> draw_truth(Index n, Random& random) {
  std::vector<std::uint8_t> truth(n);
  for (std::uint8_t& has : truth) has = static_cast<std::uint8_t>(random.below(3) == 0);
  return truth;
}

TEST(BestThreshold, IsAtLeastAsGoodAsAnyOther) {
  Random random(1);
  for (Index trial = 0; trial < 500; ++trial) {
    const Index n = 1 + random.below(12);
    const auto scores = draw_scores(n, random);
    const auto truth = draw_truth(n, random);
    for (const SetMeasure measure : {SetMeasure{Kind::kFBeta, 1}, SetMeasure{Kind::kFBeta, 0.1},
                                     SetMeasure{Kind::kFBeta, 10}, SetMeasure{Kind::kPrecision, 1},
                                     SetMeasure{Kind::kRecall, 1}, SetMeasure{Kind::kHamming, 1}}) {
      const double t = best_threshold(scores, truth, measure);
      ASSERT_TRUE(std::isfinite(t));
      const double value = value_at(scores, truth, measure, t);
      for (double other = -4; other <= 4; other += 0.5) {
        EXPECT_GE(value, value_at(scores, truth, measure, other));
      }
    }
  }
}

TEST(BestThreshold, GivesTheLabelToAllWhereScoresTieAndThatIsBest) {
  const std::vector<double> scores(4, 0.0);
  EXPECT_LT(best_threshold(scores, std::vector<std::uint8_t>{1, 0, 0, 0}, {}), 0);
}

TEST(BestThreshold, GivesALabelThatNobodyHasToNobody) {
  const std::vector<double> scores = {1, 2, 3};
  EXPECT_GT(best_threshold(scores, std::vector<std::uint8_t>{0, 0, 0}, {}), 3);
}

TEST(BestThreshold, LiesHalfWayBetweenTheScoresThatItParts) {
  const std::vector<double> scores = {1, 4, 2};
  EXPECT_EQ(best_threshold(scores, std::vector<std::uint8_t>{0, 1, 0}, {}), 3);
}

TEST(BestThreshold, PartsScoresThatAreNeighboursAmongDoubles) {
  const double low = 1;
  const double high = std::nextafter(1.0, 2.0);
  const std::vector<double> scores = {low, high};
  const double t = best_threshold(scores, std::vector<std::uint8_t>{0, 1}, {});
  EXPECT_GE(t, low);
  EXPECT_LT(t, high);
}

double mean_at(std::span<const double> scores, const LabelSets& truth, Index num_labels,
               const SetMeasure& measure, double t) {
  double sum = 0;
  for (Index i = 0; i < truth.size(); ++i) {
    std::vector<std::uint8_t> has(num_labels, 0);
    for (const std::uint32_t v : truth[i]) has[v] = 1;
    sum += value_at(scores.subspan(i * num_labels, num_labels), has, measure, t);
  }
  return sum;
}

TEST(BestCommonThreshold, IsAtLeastAsGoodAsAnyOther) {
  Random random(3);
  for (Index trial = 0; trial < 200; ++trial) {
    const Index n = 1 + random.below(5);
    const Index num_labels = 1 + random.below(4);
    const auto scores = draw_scores(n * num_labels, random);
    LabelSets truth;
    for (Index i = 0; i < n; ++i) {
      std::vector<std::uint32_t> labels;
      for (std::uint32_t v = 0; v < num_labels; ++v) {
        if (random.below(2) == 0) labels.push_back(v);
      }
      truth.append(labels);
    }
    const SetMeasure measure{Kind::kFBeta, trial % 2 == 0 ? 1.0 : 2.0};
    const double t = best_common_threshold(scores, truth, num_labels, measure);
    const double value = mean_at(scores, truth, num_labels, measure, t);
    for (double other = -4; other <= 4; other += 0.5) {
      EXPECT_GE(value + 1e-9, mean_at(scores, truth, num_labels, measure, other));
    }
  }
}

TEST(AboveThresholds, AreTheLabelsWhoseScoresAreHigher) {
  const std::vector<double> scores = {1, 0, 2, 0.5, 0.25, 2.5};
  const LabelSets given = above_thresholds(scores, std::vector<double>{0.5, 0, 2});
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(std::vector<std::uint32_t>(given[0].begin(), given[0].end()),
            (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(std::vector<std::uint32_t>(given[1].begin(), given[1].end()),
            (std::vector<std::uint32_t>{1, 2}));
}

TEST(Thresholds, RefuseScoresThatDoNotFit) {
  EXPECT_THROW(best_threshold(std::vector<double>(3), std::vector<std::uint8_t>(2), {}),
               UsageError);
  EXPECT_THROW(best_common_threshold(std::vector<double>(3), LabelSets{}, 2, {}), UsageError);
  EXPECT_THROW(above_thresholds(std::vector<double>(3), std::vector<double>(2)), UsageError);
}

}  // namespace
}  // namespace trellis::label
