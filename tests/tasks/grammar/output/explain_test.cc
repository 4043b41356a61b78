#include "trellis/tasks/grammar/output/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"

namespace trellis::grammar::explain_test {
namespace {

using grammar::testing::often_tiny;
using grammar::testing::quick;

GrammarModel tiny_model() {
  TrainOptions options = quick();
  options.filter.prune = false;
  return *train(often_tiny(), nullptr, options).model;
}

bool has(const ConstituencyTree& tree, const Bracket& bracket) {
  return std::ranges::any_of(tree.nodes, [&](const ConstituencyTree::Node& node) {
    return !node.is_preterminal() && node.label == bracket.label &&
           node.begin_word == bracket.begin && node.end_word == bracket.end;
  });
}

TEST(GrammarExplanation, TheOtherTreeIsTheBestOneOfItsKind) {
  const GrammarModel model = tiny_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  Index compared = 0;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"they", "see", "cats", "with", "tails"},
        {"dogs", "chase", "dogs", "with", "cats", "with", "tails"}}) {
    std::vector<ParsedTree> trees;
    parser.n_best(words, 1000, scratch, trees);
    for (const char* label : {"NP", "VP", "PP", "S", "QP"}) {
      for (std::uint32_t i = 0; i < words.size(); ++i) {
        for (std::uint32_t j = i + 1; j <= words.size(); ++j) {
          const Bracket bracket{label, i, j};
          const BracketExplanation why = explain(parser, words, bracket, scratch);
          EXPECT_EQ(why.in_best, has(trees.front().tree, bracket));
          EXPECT_NEAR(why.score, trees.front().score, 1e-9);
          const auto other = std::ranges::find_if(trees, [&](const ParsedTree& tree) {
            return has(tree.tree, bracket) != why.in_best;
          });
          ASSERT_EQ(why.other.has_value(), other != trees.end()) << label << i << "-" << j;
          if (other == trees.end()) continue;
          ++compared;
          EXPECT_NEAR(why.other->score, other->score, 1e-9);
          EXPECT_FALSE(why.other->best_parts.empty() && why.other->other_parts.empty());
          for (const PartContribution& part : why.other->best_parts) {
            double sum = 0;
            for (const FeatureWeight& one : part.weights) sum += one.weight;
            EXPECT_NEAR(sum, part.features, 1e-9) << part.part;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 5);
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
  EXPECT_EQ(parse_json(say(options)).value().at("label"), "PP");
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
