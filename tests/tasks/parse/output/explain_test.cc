#include "trellis/tasks/parse/output/explain.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/tasks/parse/output/inspect.h"
#include "trellis/tasks/parse/train.h"

namespace trellis::parse {
namespace {

using parse::testing::garden;
using parse::testing::garden_treebank;

ParseModel explained_model() {
  TrainOptions options;
  options.training.threads = 1;
  options.training.learner.epochs = 3;
  return *train(garden_treebank("train"), nullptr, options).model;
}

TEST(Explain, WhatFeaturesAddIsTheScoreOfTheArc) {
  const ParseModel model = explained_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  for (const Sentence& sentence : garden_treebank("test", 5).sentences) {
    double sum = 0;
    for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
      const ArcExplanation why = explain(parser, sentence, m, std::nullopt, scratch);
      sum += why.chosen.score;
      EXPECT_TRUE(why.chosen.candidate);
      ASSERT_TRUE(why.other);
      const Word& word = sentence.word(m);
      const bool right =
          word.head == why.chosen.arc.head && word.label == model.labels()[why.chosen.arc.label];
      if (!right) {
        EXPECT_EQ(why.other->arc.head, word.head);
      }
    }
    ParsedTree best;
    parser.parse(sentence, scratch, best);
    EXPECT_NEAR(sum, best.score, 1e-9);
  }
}

TEST(Explain, AnyHeadCanBeComparedWith) {
  const ParseModel model = explained_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  const Sentence sentence = garden_treebank("test", 1).sentences.front();
  for (std::uint32_t h = 0; h <= sentence.size(); ++h) {
    if (h == 1) continue;
    const ArcExplanation why = explain(parser, sentence, 1, h, scratch);
    ASSERT_TRUE(why.other);
    EXPECT_EQ(why.other->arc.head, h);
    EXPECT_EQ(why.other->probability > 0, why.other->candidate);
  }
}

TEST(Explain, TextAndJsonTellTheSame) {
  const ParseModel model = explained_model();
  ExplainOptions options;
  options.word = 2;
  options.top = 3;
  const std::string text = explain(model, InputFile(garden("test")), options);
  EXPECT_NE(text.find("instead of"), std::string::npos);
  EXPECT_NE(text.find("others"), std::string::npos);
  options.json = true;
  const Value record = parse_json(explain(model, InputFile(garden("test")), options)).value();
  EXPECT_EQ(record.at("word"), 2);
  EXPECT_NE(text.find(record.at("label").text()), std::string::npos);
  EXPECT_FALSE(record.at("features").empty());
}

TEST(Explain, WhatIsNotThereIsRefused) {
  const ParseModel model = explained_model();
  const auto ask = [&](Index sentence, Index word, std::optional<Index> head) {
    explain(model, InputFile(garden("test")), {{}, sentence, word, head, 3, false});
  };
  EXPECT_THROW(ask(1000, 1, {}), InputError);
  EXPECT_THROW(ask(1, 1000, {}), UsageError);
  EXPECT_THROW(ask(1, 1, 1000), UsageError);
  EXPECT_THROW(ask(1, 1, 1), UsageError);
}

TEST(Inspect, TellsLabelsByTagsAndDistance) {
  const ParseModel model = explained_model();
  const Value record = inspect_record(model, 5);
  EXPECT_EQ(record.at("features").size(), 5U);
  EXPECT_EQ(record.at("labels").size(), model.labels().size());
  EXPECT_NE(inspect_text(model, "m", 5).find("distance"), std::string::npos);
}

}  // namespace
}  // namespace trellis::parse
