// The chosen threshold against all thresholds there are.
#include "trellis/tasks/align/metrics/threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::align::threshold_test {
namespace {

using Scored = std::vector<std::vector<ScoredLink>>;

struct ScoredGold {
  Scored scored;
  std::vector<GoldLinks> gold;

  AlignmentCounts counts(double threshold) const {
    AlignmentScores scores;
    for (Index i = 0; i < gold.size(); ++i) scores.add(links_at(scored[i], threshold), gold[i]);
    return scores.total();
  }
  // The probabilities that occur, falling: each as a threshold keeps another set of links.
  std::set<double, std::greater<>> probabilities() const {
    std::set<double, std::greater<>> values;
    for (const auto& pair : scored) {
      for (const ScoredLink& s : pair) values.insert(s.probability);
    }
    return values;
  }
};

// Few different probabilities, so that many are equal.
ScoredGold random_scored(std::uint64_t trial) {
  Random random(9, trial);
  ScoredGold data;
  const Index levels = 1 + random.below(8);
  for (Index i = 0; i < 1 + trial % 3; ++i) {
    std::vector<ScoredLink> scored;
    GoldLinks gold;
    for (std::uint32_t s = 0; s < 3; ++s) {
      for (std::uint32_t t = 0; t < 3; ++t) {
        const std::uint64_t kind = random.below(5);
        if (kind == 0) gold.sure.push_back({s, t});
        if (kind < 2) gold.possible.push_back({s, t});
        const double share =
            static_cast<double>(random.below(levels)) / static_cast<double>(levels);
        if (random.below(4) > 0) scored.push_back({{s, t}, share});
      }
    }
    data.scored.push_back(scored);
    data.gold.push_back(gold);
  }
  return data;
}

TEST(Threshold, IsHalfWayBetweenWhatIsKeptAndWhatIsNot) {
  const Scored scored = {{{{0, 0}, 0.9}, {{0, 1}, 0.3}, {{1, 1}, 0.7}}};
  const std::vector<GoldLinks> gold = {{{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {}}};
  const ThresholdChoice choice = choose_threshold(scored, gold);
  EXPECT_DOUBLE_EQ(choice.threshold, 0.5);
  EXPECT_EQ(choice.counts.aer(), 0);
  // All are kept: half-way to 0.
  const std::vector<GoldLinks> all = {{{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {0, 1}, {1, 1}}, {}}};
  EXPECT_DOUBLE_EQ(choose_threshold(scored, all).threshold, 0.15);
  // Nothing lies between neighbouring doubles.
  const double next = std::nextafter(0.7, 0.0);
  const Scored close = {{{{0, 0}, 0.7}, {{0, 1}, next}}};
  const std::vector<GoldLinks> one = {{{{0, 0}}, {{0, 0}}, {}}};
  EXPECT_EQ(choose_threshold(close, one).threshold, 0.7);
  EXPECT_EQ(choose_threshold({}, {}).threshold, 0.5);
}

TEST(Threshold, KeepsTheSetOfLinksThatItCounted) {
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const ScoredGold data = random_scored(trial);
    for (const char* aim : {"aer", "f1", "f0.5", "recall:0.6"}) {
      const auto choice = choose_threshold(data.scored, data.gold, ThresholdAim::parse(aim));
      EXPECT_EQ(data.counts(choice.threshold), choice.counts) << trial;
    }
  }
}

TEST(Threshold, IsTheBestThereIs) {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    const ScoredGold data = random_scored(trial);
    const auto values = data.probabilities();
    if (values.empty()) continue;
    double least_aer = 2;
    double best_f = -1;
    for (const double value : values) {
      least_aer = std::min(least_aer, data.counts(value).aer());
      best_f = std::max(best_f, data.counts(value).f(0.5));
    }
    EXPECT_EQ(choose_threshold(data.scored, data.gold).counts.aer(), least_aer) << trial;
    EXPECT_EQ(choose_threshold(data.scored, data.gold, ThresholdAim::parse("f0.5")).counts.f(0.5),
              best_f)
        << trial;
    // The highest of those that are as good.
    const auto first = std::find_if(values.begin(), values.end(), [&](double value) {
      return data.counts(value).aer() == least_aer;
    });
    EXPECT_EQ(choose_threshold(data.scored, data.gold).counts, data.counts(*first)) << trial;
  }
}

TEST(Threshold, HasTheGreatestPrecisionOfThoseWithTheRecall) {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    const ScoredGold data = random_scored(trial);
    const double recall = static_cast<double>(trial % 11) / 10;
    const ThresholdAim aim{ThresholdAim::Kind::kRecall, 1, recall};
    const ThresholdChoice choice = choose_threshold(data.scored, data.gold, aim);
    double best = -1;
    double most_recall = -1;
    for (const double value : data.probabilities()) {
      const AlignmentCounts counts = data.counts(value);
      most_recall = std::max(most_recall, counts.recall());
      if (counts.recall() >= recall) best = std::max(best, counts.precision());
    }
    if (most_recall < 0) continue;
    EXPECT_EQ(choice.reached, best >= 0) << trial;
    if (choice.reached) {
      EXPECT_GE(choice.counts.recall(), recall) << trial;
      EXPECT_EQ(choice.counts.precision(), best) << trial;
    } else {
      EXPECT_EQ(choice.counts.recall(), most_recall) << trial;
    }
  }
}

TEST(Threshold, KnowsItsAimsByName) {
  for (const char* aim : {"aer", "f1", "f0.5", "recall:0.9"}) {
    EXPECT_EQ(ThresholdAim::parse(aim).to_string(), aim);
  }
  for (const char* aim : {"", "f", "f0", "f-1", "recall", "recall:2", "precision"}) {
    EXPECT_THROW(ThresholdAim::parse(aim), UsageError) << aim;
  }
}

}  // namespace
}  // namespace trellis::align::threshold_test
