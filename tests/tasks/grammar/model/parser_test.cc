#include "trellis/tasks/grammar/model/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/base/error.h"
#include "trellis/formats/brackets/bracket_writer.h"
#include "trellis/structure/trees/parse_forest.h"

namespace trellis::grammar::parser_test {
namespace {

using grammar::testing::often_tiny;
using Words = std::vector<std::string>;

GrammarModel tiny_model(bool generative = false, bool prune = false) {
  TrainOptions options = generative ? grammar::testing::generative() : grammar::testing::untagged();
  options.filter.prune = prune;
  options.orders = {2, 1};
  return *train(often_tiny(), nullptr, options).model;
}

std::string text_of(const ConstituencyTree& tree) {
  std::string text;
  append_brackets(tree, text);
  return text;
}

// All derivations of the forest in a scratch, with their scores, by enumeration.
struct Enumerated {
  std::map<std::string, double> best;  // of each bracketed tree
  std::map<std::string, double> mass;  // Σ exp(score) of each
  std::vector<std::pair<std::string, double>> all;
};
Enumerated enumerate(const Parser& parser, const Words& words, Parser::Scratch& scratch) {
  EXPECT_TRUE(parser.make_forest(words, scratch));
  ParseForest::Scratch memory;
  std::vector<ScoredOutput<ParseForest::Output>> derivations;
  ParseForest(scratch.example.chart.forest).k_best(scratch.scores, 100000, memory, derivations);
  EXPECT_LT(derivations.size(), 100000);
  Enumerated found;
  for (const auto& [output, score] : derivations) {
    const std::string text = text_of(parser.tree_of(output, words, scratch));
    found.all.emplace_back(text, score);
    found.best.try_emplace(text, score);
    found.mass[text] += std::exp(score);
  }
  return found;
}

const std::vector<Words> kSentences = {{"they", "see", "cats", "with", "tails"},
                                       {"dogs", "chase", "dogs", "with", "cats", "with", "tails"},
                                       {"run"},
                                       {"dogs", "with", "tails"}};

TEST(GrammarParser, TheBestTreesAreThoseOfEnumerationAndEachIsListedOnce) {
  for (const bool generative : {false, true}) {
    const GrammarModel model = tiny_model(generative);
    const Parser parser(model);
    Parser::Scratch scratch;
    for (const Words& words : kSentences) {
      const Enumerated truth = enumerate(parser, words, scratch);
      double total = 0;
      for (const auto& [text, mass] : truth.mass) total += mass;
      std::vector<ParsedTree> trees;
      const double log_sum = parser.n_best(words, 1000, scratch, trees);
      EXPECT_NEAR(log_sum, std::log(total), 1e-9);
      std::set<std::string> listed;
      for (Index k = 0; k < trees.size(); ++k) {
        const std::string text = text_of(trees[k].tree);
        EXPECT_TRUE(listed.insert(text).second) << text;
        EXPECT_NEAR(trees[k].score, truth.best.at(text), 1e-9);
        EXPECT_LE(trees[k].score, trees[k == 0 ? 0 : k - 1].score);
        EXPECT_EQ(trees[k].status, ParseStatus::kWhole);
      }
      EXPECT_EQ(listed.size(), truth.best.size());
      ParsedTree best;
      parser.parse(words, scratch, best);
      EXPECT_EQ(best.tree, trees.front().tree);
      EXPECT_EQ(best.tree.words(), words);
    }
  }
}

TEST(GrammarParser, MarginalsAreSharesOfEnumeratedTrees) {
  const GrammarModel model = tiny_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  for (const Words& words : kSentences) {
    const Enumerated truth = enumerate(parser, words, scratch);
    std::vector<ParsedTree> trees;
    parser.n_best(words, 1000, scratch, trees);
    double total = 0;
    for (const auto& [text, mass] : truth.mass) total += mass;
    for (const ParsedTree& one : trees) {
      std::vector<double> found;
      parser.marginals(one.tree, scratch, found);
      ASSERT_EQ(found.size(), one.tree.nodes.size());
      for (Index i = 0; i < found.size(); ++i) {
        const ConstituencyTree::Node& node = one.tree.nodes[i];
        // A label that stands above itself counts twice, but for that nothing is above 1.
        double expected = 0;
        for (const ParsedTree& other : trees) {
          const auto same = [&](const ConstituencyTree::Node& its) {
            return its.label == node.label && its.begin_word == node.begin_word &&
                   its.end_word == node.end_word && its.is_preterminal() == node.is_preterminal();
          };
          expected += static_cast<double>(std::ranges::count_if(other.tree.nodes, same)) *
                      truth.mass.at(text_of(other.tree)) / total;
        }
        EXPECT_NEAR(found[i], std::min(expected, 1.0), 1e-9) << node.label;
      }
    }
  }
}

TEST(GrammarParser, WhatHasNoTreeGetsAsFewFragmentsAsThereAre) {
  const GrammarModel model = tiny_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  ParsedTree tree;
  // A noun phrase, and a sentence.
  const Words words = {"dogs", "with", "tails", "they", "see", "cats"};
  parser.parse(words, scratch, tree);
  EXPECT_EQ(tree.status, ParseStatus::kPartial);
  EXPECT_EQ(tree.tree.words(), words);
  EXPECT_EQ(tree.tree.nodes[0].label, kRootLabel);
  Index fragments = 0;
  for (Index i = 1; i < tree.tree.nodes.size(); i = tree.tree.nodes[i].end) ++fragments;
  EXPECT_EQ(fragments, 2) << text_of(tree.tree);
  EXPECT_LT(std::abs(tree.score), 1e4);  // that they are joined costs nothing
  std::vector<double> probabilities;
  parser.marginals(tree.tree, scratch, probabilities);
  EXPECT_EQ(probabilities.size(), tree.tree.nodes.size());
  std::vector<ParsedTree> trees;
  const double log_sum = parser.n_best(words, 5, scratch, trees);
  EXPECT_EQ(trees.front().tree, tree.tree);
  // Fragments may have any symbol of their label: such derivations are one tree.
  const Enumerated all = enumerate(parser, words, scratch);
  EXPECT_GT(all.all.size(), all.best.size());
  std::set<std::string> listed;
  for (const ParsedTree& one : trees) EXPECT_TRUE(listed.insert(text_of(one.tree)).second);
  for (const ParsedTree& one : trees) EXPECT_LE(one.score, log_sum + 1e-9);
  // Any row of words has a tree, with pruning and without.
  const GrammarModel pruned = tiny_model(false, true);
  for (const GrammarModel* each : {&model, &pruned}) {
    const Parser whole(*each);
    for (const Words& odd : {Words{"with"}, Words{"with", "with"}, Words(9, "see")}) {
      Parser::Scratch memory;
      whole.parse(odd, memory, tree);
      EXPECT_EQ(tree.status, ParseStatus::kPartial);
      EXPECT_EQ(tree.tree.words(), odd);
    }
  }
}

TEST(GrammarParser, OrAFlatTree) {
  const GrammarModel model = tiny_model();
  const Parser parser(model, {Unparsed::kFlat, 250});
  Parser::Scratch scratch;
  ParsedTree tree;
  parser.parse(Words{"with", "cats", "they"}, scratch, tree);
  EXPECT_EQ(text_of(tree.tree), "(TOP (X (IN with) (NNS cats) (PRP they)))");
  EXPECT_EQ(tree.status, ParseStatus::kFlat);
  std::vector<double> probabilities{1};
  parser.marginals(tree.tree, scratch, probabilities);
  EXPECT_TRUE(probabilities.empty());
  std::vector<ParsedTree> trees;
  parser.n_best(Words{"with", "cats", "they"}, 3, scratch, trees);
  EXPECT_EQ(trees.size(), 1);
  parser.parse(kSentences[0], scratch, tree);  // the scratch serves on
  EXPECT_EQ(tree.status, ParseStatus::kWhole);
}

TEST(GrammarParser, SentencesBeyondItsLengthAreRefused) {
  const GrammarModel model = tiny_model();
  const Parser parser(model, {Unparsed::kPartial, 3});
  Parser::Scratch scratch;
  ParsedTree tree;
  EXPECT_THROW(parser.parse(Words(4, "dogs"), scratch, tree), UsageError);
  EXPECT_THROW(parser.parse(Words{}, scratch, tree), UsageError);
  EXPECT_NO_THROW(parser.parse(Words(3, "dogs"), scratch, tree));
}

}  // namespace
}  // namespace trellis::grammar::parser_test
