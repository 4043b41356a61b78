#include "trellis/tasks/rank/predict.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"

namespace trellis::rank {
namespace {

RankModel small_model(const char* expansion) {
  const std::vector<Query> queries = testing::random_queries(4, 8, 1);
  RankFeatures features =
      RankFeatures::learn(queries, Normalization::kZscore, Expansion::parse(expansion), 3);
  std::vector<double> weights(features.dimension());
  Random random(2);
  for (double& weight : weights) weight = random.normal();
  return RankModel(std::move(features), std::move(weights), {});
}

// A document's score does not depend on which other queries are scored with it, and is the product
// of its row with the weights.
TEST(RankPrediction, ScoresAQueryByItself) {
  for (const char* expansion : {"none", "binned:4", "random:6"}) {
    const RankModel model = small_model(expansion);
    const std::vector<Query> queries = testing::random_queries(70, 6, 4);
    const auto together = score_queries(model, queries, 2);
    const FeatureRows rows = model.features().rows(queries);
    Index row = 0;
    for (Index q = 0; q < queries.size(); ++q) {
      EXPECT_EQ(score_queries(model, {&queries[q], 1}, 1)[0], together[q]);
      for (const double score : together[q]) {
        EXPECT_EQ(score, document_score(rows, row++, model.weights()));
      }
    }
  }
}

TEST(RankPrediction, AStreamIsWhatMemoryIs) {
  const RankModel model = small_model("none");
  const std::string file = testing::to_file(testing::random_queries(1100, 3, 9));
  const auto input = [&] { return InputFile::from_bytes(file, "f"); };
  const std::vector<Query> queries = read_queries(input());
  const auto scores = score_queries(model, queries, 1);
  for (const StreamOptions& options : {StreamOptions{1, false}, {3, false}, {1, true}}) {
    std::string expected;
    std::string written;
    for (Index q = 0; q < queries.size(); ++q) {
      expected += render(queries[q], scores[q], Rendering::kSorted);
    }
    predict(model, input(), Rendering::kSorted, options,
            [&](std::string_view text) { written += text; });
    EXPECT_EQ(written, expected);
  }
  EXPECT_EQ(evaluate(model, input(), {}).to_text(true), evaluate(model, queries, {}).to_text(true));
}

TEST(RankPrediction, WhatPrecedesABadLineIsWritten) {
  const RankModel model = small_model("none");
  const std::string file = "qid:1 7:1\nqid:1 7:2\nqid:2 7:1\nqid:3 7:nan\nqid:4 7:1\n";
  for (const bool at_once : {false, true}) {
    std::string written;
    EXPECT_THROW(predict(model, InputFile::from_bytes(file, "f"), Rendering::kLines, {2, at_once},
                         [&](std::string_view text) { written += text; }),
                 InputError);
    // The query before the bad line might have gone on in it.
    EXPECT_EQ(written.substr(0, 2), "1\t");
    EXPECT_EQ(written.find("\n4\t"), std::string::npos);
  }
}

TEST(RankPrediction, EvaluationNeedsAQuery) {
  const RankModel model = small_model("none");
  EXPECT_THROW(evaluate(model, InputFile::from_bytes("# nothing\n", "f"), {}), InputError);
}

TEST(RankPrediction, RendersADocumentWithItsPlace) {
  const Query query = testing::graded("q", {0, 1});
  const std::vector<double> scores = {0.5, 1.5};
  EXPECT_EQ(render(query, scores, Rendering::kLines), "q\t2\t0.5\t\nq\t1\t1.5\t\n");
  EXPECT_EQ(render(query, scores, Rendering::kSorted), "q\t1\t1.5\t\nq\t2\t0.5\t\n");
  EXPECT_EQ(render(query, scores, Rendering::kScores), "0.5\n1.5\n");
  EXPECT_EQ(render(query, scores, Rendering::kJson),
            R"({"qid":"q","ranking":[{"line":2,"note":"","score":1.5},)"
            R"({"line":1,"note":"","score":0.5}]})"
            "\n");
}

}  // namespace
}  // namespace trellis::rank
