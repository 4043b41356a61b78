#include "trellis/tasks/grammar/output/explain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/base/error.h"

namespace trellis::grammar::explain_test {
namespace {

using grammar::testing::kTiny;
using grammar::testing::quick;
using grammar::testing::treebank_of;

GrammarModel tiny_model() {
  TrainOptions options = quick();
  options.filter.prune = false;
  return *train(treebank_of(kTiny), nullptr, options).model;
}

const std::vector<std::string> kWords = {"they", "see", "cats", "with", "tails"};

TEST(GrammarExplanation, PartsMakeUpTheDifferenceOfScores) {
  const GrammarModel model = tiny_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  std::vector<ParsedTree> trees;
  parser.n_best(kWords, 1000, scratch, trees);
  const auto has = [](const ConstituencyTree& tree, const Bracket& bracket) {
    for (const ConstituencyTree::Node& node : tree.nodes) {
      if (!node.is_preterminal() && node.label == bracket.label &&
          node.begin_word == bracket.begin && node.end_word == bracket.end) {
        return true;
      }
    }
    return false;
  };
  Index compared = 0;
  for (const Bracket& bracket :
       {Bracket{"NP", 2, 5}, Bracket{"NP", 2, 3}, Bracket{"PP", 3, 5}, Bracket{"VP", 1, 5},
        Bracket{"NP", 0, 5}, Bracket{"TOP", 0, 5}, Bracket{"QP", 0, 2}}) {
    const BracketExplanation why = explain(parser, kWords, bracket, scratch);
    EXPECT_EQ(why.in_best, has(trees.front().tree, bracket));
    EXPECT_NEAR(why.score, trees.front().score, 1e-9);
    // The first of the trees, best first, that is of the other kind.
    const ParsedTree* other = nullptr;
    for (const ParsedTree& tree : trees) {
      if (other == nullptr && has(tree.tree, bracket) != why.in_best) other = &tree;
    }
    ASSERT_EQ(why.other.has_value(), other != nullptr) << bracket.label;
    if (other == nullptr) continue;
    ++compared;
    EXPECT_NEAR(why.other->score, other->score, 1e-9);
    EXPECT_FALSE(why.other->best_parts.empty() && why.other->other_parts.empty());
  }
  EXPECT_GT(compared, 1);
}

TEST(GrammarExplanation, TellsBracketsOfOneSentence) {
  const GrammarModel model = tiny_model();
  const auto say = [&](const ExplainOptions& options) {
    return explain(model, InputFile::from_bytes("dogs\nthey see cats with tails\n", "x.txt"),
                   options);
  };
  ExplainOptions options;
  options.sentence = 2;
  const std::string all = say(options);
  EXPECT_NE(all.find("NP 0-1 they"), std::string::npos) << all;
  EXPECT_EQ(all.find("TOP 0-5"), std::string::npos) << all;
  options.span = "3-5";
  options.json = true;
  const auto json = nlohmann::json::parse(say(options));
  EXPECT_EQ(json["label"], "PP");
  options.span = "3-9";
  EXPECT_THROW(say(options), UsageError);
  options.span = "some";
  EXPECT_THROW(say(options), UsageError);
  options.span = "1-3";  // no bracket of the best tree
  EXPECT_THROW(say(options), UsageError);
  options.label = "VP";
  EXPECT_NO_THROW(say(options));
  options = {};
  options.sentence = 3;
  EXPECT_THROW(say(options), InputError);
  options = {};
  options.label = "NP";
  EXPECT_THROW(say(options), UsageError);
}

}  // namespace
}  // namespace trellis::grammar::explain_test
