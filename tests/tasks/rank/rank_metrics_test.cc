// Measures of rankings: by hand, and against twins written down from the definitions.
#include "trellis/tasks/rank/rank_metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::rank {
namespace {

// Position by position as LETOR's scripts have it: the second is not discounted.
double twin_dcg(const std::vector<Grade>& ranked, Index k, Ndcg variant) {
  double sum = 0;
  for (Index at = 0; at < std::min(k, ranked.size()); ++at) {
    const double r = variant == Ndcg::kLinear ? ranked[at] : std::pow(2.0, ranked[at]) - 1;
    double weight = std::log(2.0) / std::log(static_cast<double>(at) + 2);
    if (variant == Ndcg::kLetor)
      weight = at < 2 ? 1 : std::log(2.0) / std::log(static_cast<double>(at) + 1);
    sum += r * weight;
  }
  return sum;
}

// The best DCG@k over all orders.
double twin_ideal(std::vector<Grade> grades, Index k, Ndcg variant) {
  std::sort(grades.begin(), grades.end());
  double best = 0;
  do {
    best = std::max(best, twin_dcg(grades, k, variant));
  } while (std::next_permutation(grades.begin(), grades.end()));
  return best;
}

double twin_average_precision(const std::vector<Grade>& ranked) {
  double sum = 0;
  double relevant = 0;
  for (Index j = 0; j < ranked.size(); ++j) {
    if (ranked[j] == 0) continue;
    ++relevant;
    Index before = 0;
    for (Index i = 0; i <= j; ++i) before += ranked[i] > 0 ? 1 : 0;
    sum += static_cast<double>(before) / static_cast<double>(j + 1);
  }
  return sum / relevant;
}

TEST(RankMetrics, AgreeWithTheirTwinsOnAllVariants) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Grade> ranked(1 + random.below(7));
    for (Grade& grade : ranked) grade = static_cast<Grade>(random.below(4));
    if (*std::max_element(ranked.begin(), ranked.end()) == 0) continue;
    for (const Ndcg variant : {Ndcg::kStandard, Ndcg::kLetor, Ndcg::kLinear}) {
      const QueryScores scores = score_ranking(ranked, variant);
      for (Index k = 1; k <= kCutoffs; ++k) {
        EXPECT_NEAR(scores.ndcg[k - 1],
                    twin_dcg(ranked, k, variant) / twin_ideal(ranked, k, variant), 1e-12);
      }
      EXPECT_NEAR(scores.average_precision, twin_average_precision(ranked), 1e-12);
    }
  }
}

TEST(RankMetrics, KnowTheValuesOfEquation514ByHand) {
  const QueryScores scores = score_ranking(std::vector<Grade>{1, 2, 0}, Ndcg::kStandard);
  EXPECT_DOUBLE_EQ(scores.ndcg[0], 1.0 / 3);
  EXPECT_NEAR(scores.ndcg[2], (1 + 3 / std::log2(3)) / (3 + 1 / std::log2(3)), 1e-15);
  EXPECT_EQ(scores.precision[0], 1);
  EXPECT_DOUBLE_EQ(scores.precision[2], 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.precision[9], 0.2);  // of ten places, although there are three documents
  EXPECT_EQ(scores.average_precision, 1);
  // LETOR counts the first two alike.
  EXPECT_EQ(score_ranking(std::vector<Grade>{1, 2, 0}, Ndcg::kLetor).ndcg[1], 1);
}

TEST(RankMetrics, OneDocumentIsRankedAsWellAsCanBe) {
  const QueryScores scores = score_ranking(std::vector<Grade>{2}, Ndcg::kStandard);
  EXPECT_EQ(scores.ndcg[0], 1);
  EXPECT_EQ(scores.ndcg[9], 1);
  EXPECT_EQ(scores.average_precision, 1);
}

TEST(RankMetrics, QueriesWithoutARelevantDocumentCountAsAsked) {
  const auto scores = [](Empty empty) {
    RankScores scores(Ndcg::kStandard, empty);
    scores.add("a", std::vector<Grade>{1, 0}, std::vector<double>{2, 1});
    scores.add("b", std::vector<Grade>{0, 0}, std::vector<double>{2, 1});
    return scores;
  };
  EXPECT_EQ(scores(Empty::kZero).ndcg(5), 0.5);
  EXPECT_EQ(scores(Empty::kOne).ndcg(5), 1);
  EXPECT_EQ(scores(Empty::kSkip).ndcg(5), 1);
  EXPECT_EQ(scores(Empty::kZero).map(), 0.5);
  EXPECT_EQ(scores(Empty::kSkip).map(), 1);
  EXPECT_EQ(scores(Empty::kSkip).precision(1), 0.5);  // which needs no relevant document
  EXPECT_EQ(scores(Empty::kZero).num_empty(), 1U);
}

TEST(RankMetrics, EqualScoresKeepTheOrderOfTheFile) {
  EXPECT_EQ(ranking(std::vector<double>{1, 2, 1, 2}), (std::vector<Index>{1, 3, 0, 2}));
}

TEST(RankMetrics, JsonHasTheStableKeys) {
  RankScores scores;
  scores.add("q", std::vector<Grade>{2, 0, 1}, std::vector<double>{3, 2, 1});
  const Value record = scores.record(true);
  for (Index k = 1; k <= kCutoffs; ++k) {
    EXPECT_TRUE(record.contains("ndcg@" + std::to_string(k)));
    EXPECT_TRUE(record.contains("p@" + std::to_string(k)));
  }
  EXPECT_EQ(record.at("map"), scores.map());
  EXPECT_EQ(record.at("per_query").size(), 1U);
  EXPECT_EQ(record.at("per_query").at(0).at("qid"), "q");
  EXPECT_NE(scores.to_text(true).find("q\t3\t2\t1.0000"), std::string::npos);
}

TEST(Selection, KnowsItsNames) {
  RankScores scores;
  scores.add("q", std::vector<Grade>{1, 0, 2}, std::vector<double>{3, 2, 1});
  EXPECT_EQ(Selection("ndcg@1")(scores), scores.ndcg(1));
  EXPECT_EQ(Selection("ndcg@10")(scores), scores.ndcg(10));
  EXPECT_EQ(Selection("map")(scores), scores.map());
  double mean = 0;
  for (Index k = 1; k <= kCutoffs; ++k) mean += scores.ndcg(k) / kCutoffs;
  EXPECT_NEAR(Selection("mean")(scores), mean, 1e-15);
  for (const char* name : {"", "ndcg", "ndcg@0", "ndcg@11", "ndcg@x", "p@1"}) {
    EXPECT_THROW(Selection{name}, UsageError) << name;
  }
  EXPECT_THROW(parse_named<Ndcg>("best"), UsageError);
  EXPECT_THROW(parse_named<Empty>("2"), UsageError);
}

TEST(Selection, TalliesAddUpOverSetsOfQueries) {
  for (const Empty empty : {Empty::kZero, Empty::kOne, Empty::kSkip}) {
    RankScores first(Ndcg::kStandard, empty);
    RankScores second(Ndcg::kStandard, empty);
    RankScores both(Ndcg::kStandard, empty);
    Random random(5);
    for (int q = 0; q < 20; ++q) {
      std::vector<Grade> grades(1 + random.below(12));
      std::vector<double> scores(grades.size());
      for (Grade& grade : grades) grade = q % 5 == 0 ? 0 : static_cast<Grade>(random.below(3));
      for (double& score : scores) score = random.normal();
      (q < 9 ? first : second).add("q", grades, scores);
      both.add("q", grades, scores);
    }
    for (const char* name : {"mean", "map", "ndcg@1", "ndcg@10"}) {
      const Selection select(name);
      std::vector<double> sum = select.tally(first);
      const std::vector<double> more = select.tally(second);
      for (Index k = 0; k < sum.size(); ++k) sum[k] += more[k];
      EXPECT_NEAR(select.figure(sum), select(both), 1e-14) << name;
    }
  }
  const Selection select("map");
  EXPECT_EQ(select(RankScores(Ndcg::kStandard, Empty::kSkip)), 0);
}

}  // namespace
}  // namespace trellis::rank
