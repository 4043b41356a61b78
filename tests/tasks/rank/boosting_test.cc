// The loss that trees are grown on, and what they learn that lines cannot.
#include "trellis/tasks/rank/boosting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/query_columns.h"
#include "trellis/tasks/rank/subsets.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::rank {
namespace {

RankedLists lists_of(const std::vector<Query>& queries, Index size) {
  SubsetOptions options;
  options.size = size;
  return draw_subsets(queries, options, "queries");
}

// Relevant are the documents whose two features have the same sign: no sum of functions of one
// feature each says that.
std::vector<Query> crossed_queries(Index count, Index documents, std::uint64_t seed) {
  std::vector<Query> queries(count);
  for (Index q = 0; q < count; ++q) {
    queries[q].id = std::to_string(q);
    Random random(seed, q);
    for (Index d = 0; d < documents; ++d) {
      const double a = random.normal(), b = random.normal(), c = random.normal();
      testing::add_document(
          queries[q], a * b > 0 ? 1 : 0,
          {{1, static_cast<float>(a)}, {2, static_cast<float>(b)}, {5, static_cast<float>(c)}});
    }
  }
  return queries;
}

TEST(ListLoss, HasTheSlopesOfFiniteDifferences) {
  for (const Index size : {2, 3, 6}) {
    const std::vector<Query> queries = testing::random_queries(3, 7, 1);
    const RankedLists lists = lists_of(queries, size);
    const ListLoss loss(lists, queries);
    std::vector<double> scores(21);
    Random random(2);
    for (double& score : scores) score = random.normal();
    std::vector<Slope> slopes(21), ignored(21);
    const double here = loss.evaluate(scores, 1, slopes);
    const double step = 1e-4;
    for (Index d = 0; d < scores.size(); ++d) {
      const auto at = [&](double shift) {
        std::vector<double> moved = scores;
        moved[d] += shift;
        return loss.evaluate(moved, 1, ignored);
      };
      const double up = at(step), down = at(-step);
      EXPECT_NEAR(slopes[d].gradient, (up - down) / (2 * step), 1e-6);
      EXPECT_NEAR(slopes[d].curvature, (up - 2 * here + down) / (step * step), 1e-4);
    }
    std::vector<Slope> others(21);
    EXPECT_EQ(loss.evaluate(scores, 3, others), here);
    for (Index d = 0; d < 21; ++d) EXPECT_EQ(others[d].gradient, slopes[d].gradient);
  }
}

TEST(Boosting, ThreadsDoNotChangeABit) {
  const std::vector<Query> queries = crossed_queries(20, 30, 1);
  const RankedLists lists = lists_of(queries, 2);
  const std::vector<std::uint32_t> indices = feature_indices(queries);
  BoostOptions options;
  options.trees = 10;
  options.threads = 1;
  const Trees one = boost(indices, queries, lists, options);
  options.threads = 3;
  const Trees three = boost(indices, queries, lists, options);
  ASSERT_EQ(one.size(), 10);
  EXPECT_TRUE(one.valid(3));
  EXPECT_EQ(one.thresholds, three.thresholds);
  EXPECT_EQ(one.columns, three.columns);
  EXPECT_EQ(one.gains, three.gains);
}

TEST(Boosting, TreesLearnWhatFeaturesSayTogether) {
  const RankData data{"queries", crossed_queries(20, 30, 1)};
  const std::vector<Query> others = crossed_queries(20, 30, 2);
  std::vector<double> figures;
  for (const char* expansion : {"binned:8", "trees:30,4"}) {
    TrainOptions options;
    options.training.threads = 1;
    options.expansion = Expansion::parse(expansion);
    figures.push_back(evaluate(*train(data, nullptr, options).model, others, {}).map());
  }
  EXPECT_LT(figures[0], 0.7);
  EXPECT_GT(figures[1], 0.9);
}

TEST(Boosting, RefusesListsBeyondTheReachOfSums) {
  TrainOptions options;
  options.estimator = Estimator::kMaxMargin;
  options.subsets.size = 26;
  options.expansion = Expansion::parse("trees");
  EXPECT_THROW(train({"queries", crossed_queries(3, 30, 1)}, nullptr, options), UsageError);
}

}  // namespace
}  // namespace trellis::rank
