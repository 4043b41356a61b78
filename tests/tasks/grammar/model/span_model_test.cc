#include "trellis/tasks/grammar/model/span_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/brackets/bracket_reader.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/tasks/grammar/model/chart_maker.h"

namespace trellis::grammar::span_model_test {
namespace {

static_assert(PartModel<SpanModel>);

constexpr std::string_view kTrees =
    "(S (NP (DT the) (NN cook)) (VP (VBZ cuts) (NP (NN bread)) (PP (IN with) (NP (NN care)))))\n"
    "(S (NP (NNS cooks)) (VP (VBP cut) (NP (NP (NN bread)) (PP (IN with) (NP (NNS seeds))))))\n"
    "(S (NP (PRP they)) (VP (VBP eat)))\n"
    "(S (VP (VB eat) (NP (DT the) (NN bread))))\n"
    "(NP (DT the) (JJ old) (JJ sharp) (NN knife))\n";

// Two tags of each word: the true one is the second every third time, and the others it is not
// among them now and then.
std::vector<TagChoices> choices_of(const std::vector<ConstituencyTree>& trees,
                                   const NameList& tags) {
  std::vector<TagChoices> all;
  Index word = 0;
  for (const ConstituencyTree& tree : trees) {
    TagChoices& choices = all.emplace_back();
    for (const std::string& tag : tree.tags()) {
      const std::uint32_t truth = tags.find(tag);
      const auto other = static_cast<std::uint32_t>((truth + 1 + word % 2) % tags.size());
      ++word;
      choices.choices.push_back({word % 3 == 0 ? other : truth, -0.25F});
      choices.choices.push_back({word % 3 == 0 ? truth : other, -1.5F});
      if (word % 7 == 0) choices.choices.pop_back();
      choices.end_word();
    }
  }
  return all;
}

constexpr Index kPlenty = Index{1} << 30;

struct Lesson {
  explicit Lesson(const MarkovOrders& orders, bool tagged = false, Index bytes = kPlenty)
      : Lesson(kTrees, {}, orders, tagged, bytes) {}
  Lesson(std::string_view text, const FilterOptions& filters, const MarkovOrders& orders,
         bool tagged, Index bytes = kPlenty)
      : trees(read_trees(InputFile::from_bytes(std::string(text), "trees"))),
        grammar(make_grammar(orders)),
        maker(grammar, filters) {
    if (tagged) choices = choices_of(trees, grammar.treebank().tags());
    ChartMaker::Scratch scratch;
    for (Index i = 0; i < trees.size(); ++i) {
      const std::vector<std::string> words = trees[i].words();
      see_true_tree(grammar.keys(), words,
                    maker.tags(words, tagged ? &choices[i] : nullptr, scratch), derivations[i],
                    numbers);
    }
    numbers.finish(1);
    examples.emplace(maker, &numbers, ChartedTrees{trees, choices, derivations},
                     SpanExamples::Options{bytes, 1, {}});
    examples->make_all([](Index, const SpanExample&) {});
  }
  ParsingGrammar make_grammar(const MarkovOrders& orders) {
    TreebankGrammar treebank(orders);
    for (const ConstituencyTree& tree : trees) derivations.push_back(treebank.add(tree));
    return ParsingGrammar::from_trees(std::move(treebank), trees, derivations);
  }

  std::vector<ConstituencyTree> trees;
  std::vector<Derivation> derivations;
  ParsingGrammar grammar;
  ChartMaker maker;
  std::vector<TagChoices> choices;
  SpanNumbers numbers;
  std::optional<SpanExamples> examples;
};

constexpr MarkovOrders kOrders[] = {{1, 0}, {2, 1}};

TEST(SpanModel, TrueTreesAreInTheChartsAndComeBack) {
  for (const MarkovOrders& orders : kOrders) {
    const Lesson lesson(orders, orders.vertical == 2);
    for (Index i = 0; i < lesson.trees.size(); ++i) {
      const auto held = lesson.examples->get(i);
      const SpanExample& example = *held;
      ASSERT_TRUE(ParseForest(example.chart.forest).legal(example.gold));
      Derivation derivation;
      lesson.maker.derivation_of(example.chart, example.gold, derivation);
      EXPECT_EQ(lesson.grammar.treebank().tree_of(derivation, lesson.trees[i].words()),
                lesson.trees[i]);
    }
  }
}

TEST(SpanModel, SlopesTouchAndLieBelow) {
  const Lesson lesson({1, 0}, true);
  const SpanModel model(lesson.numbers.dimension(), *lesson.examples);
  const HingeProblem<SpanModel> hinge(model, 1);
  const SmoothProblem<SpanModel> smooth(model, 1, 1);
  for (const ConvexOracle* oracle : std::initializer_list<const ConvexOracle*>{&hinge, &smooth}) {
    trellis::testing::expect_touching(*oracle, 1);
    trellis::testing::expect_minorant(*oracle, 2);
  }
}

TEST(SpanModel, SlopesAreGradients) {
  const Lesson lesson({1, 0}, true);
  const SpanModel model(lesson.numbers.dimension(), *lesson.examples);
  trellis::testing::expect_gradient(SmoothProblem<SpanModel>(model, 1, 1), 3);
}

// Label, first word, end, and whether it is a tag; each as often as the tree has it.
using Brackets = std::multiset<std::tuple<std::string, std::uint32_t, std::uint32_t, bool>>;

Brackets brackets_of(const ConstituencyTree& tree) {
  Brackets all;
  for (const ConstituencyTree::Node& node : tree.nodes) {
    all.emplace(node.label, node.begin_word, node.end_word, node.is_preterminal());
  }
  return all;
}

// Those that are in one of the two alone.
Index num_different(const Brackets& a, const Brackets& b) {
  std::vector<Brackets::value_type> different;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(different));
  return different.size();
}

bool has_one_twice(const Brackets& brackets) {
  return std::ranges::adjacent_find(brackets) != brackets.end();
}

// Two labels and chains of up to three brackets, which often have a label twice.
void write_random_tree(Index words, Index least_chain, Random& random, std::string& text) {
  const Index chain = least_chain + random.below(4 - least_chain);
  for (Index k = 0; k < chain; ++k) text += random.below(2) == 0 ? "(A " : "(B ";
  if (words == 1) text += random.below(2) == 0 ? "(a x)" : "(b x)";
  for (Index left = words == 1 ? 0 : words; left > 0;) {
    const Index child = 1 + random.below(left == words ? words - 1 : left);
    write_random_tree(child, child == 1 ? 0 : 1, random, text);
    left -= child;
  }
  text.append(chain, ')');
}

TEST(SpanModel, CostsCountWrongAndMissingBracketsAndTags) {
  Random random(4);
  FilterOptions all;
  all.prune = false;
  Index trees = 0, twice = 0;
  for (const MarkovOrders& orders : {MarkovOrders{1, 0}, {1, 2}, {2, 1}, {3, 1}}) {
    std::string text;
    for (Index k = 0; k < 12; ++k) write_random_tree(1 + random.below(5), 1, random, text);
    const Lesson lesson(text, all, orders, orders.horizontal == 1);
    const SpanModel model(lesson.numbers.dimension(), *lesson.examples);
    for (Index i = 0; i < model.num_examples(); ++i) {
      const ExampleForest forest = model.structure(i);
      std::vector<double> costs(forest.num_parts(), 0.0), s(costs.size());
      model.add_costs(i, 1, costs);
      for (double& score : s) score = random.normal();
      ParseForest::Scratch scratch;
      std::vector<ScoredOutput<ParseForest::Output>> best;
      forest.k_best(s, 50, scratch, best);
      const Brackets truth = brackets_of(lesson.trees[i]);
      for (const auto& one : best) {
        Derivation derivation;
        lesson.maker.derivation_of(lesson.examples->get(i)->chart, one.output, derivation);
        const Brackets found =
            brackets_of(lesson.grammar.treebank().tree_of(derivation, lesson.trees[i].words()));
        EXPECT_EQ(forest.score(costs, one.output) - forest.score(costs, model.gold(i)),
                  static_cast<double>(num_different(found, truth)));
        ++trees;
        twice += has_one_twice(found) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(trees, 1000);
  EXPECT_GT(twice, 100);
}

TEST(SpanModel, WhatIsMadeAnewIsTheSame) {
  const Lesson kept({2, 1}, true), some({2, 1}, true, 5000), none({2, 1}, true, 0);
  EXPECT_EQ(kept.examples->num_kept(), kept.trees.size());
  EXPECT_GT(some.examples->num_kept(), 0);
  EXPECT_LT(some.examples->num_kept(), kept.trees.size());
  EXPECT_EQ(none.examples->num_kept(), 0);
  std::vector<double> w(kept.numbers.dimension());
  for (Index k = 0; k < w.size(); ++k) w[k] = static_cast<double>(k % 17) / 16 - 0.5;
  for (const Lesson* lesson : {&some, &none}) {
    const SpanModel whole(w.size(), *kept.examples), model(w.size(), *lesson->examples);
    for (Index i = 0; i < whole.num_examples(); ++i) {
      ASSERT_EQ(model.gold(i), whole.gold(i));
      std::vector<double> expected(whole.structure(i).num_parts());
      std::vector<double> found(model.structure(i).num_parts());
      whole.scores(i, w, expected);
      model.scores(i, w, found);
      EXPECT_EQ(found, expected);
    }
  }
}

// What the filters leave is part of all there is, and the best by the generative grammar stays.
TEST(SpanModel, FiltersKeepTheBestTree) {
  FilterOptions none;
  none.prune = false;
  FilterOptions hard;
  hard.prune_below = 1e-3;
  hard.prune_rules_below = 0.3;
  const Lesson lesson({2, 1});
  const ChartMaker all(lesson.grammar, none), some(lesson.grammar, hard);
  ChartMaker::Scratch scratch;
  for (const ConstituencyTree& tree : lesson.trees) {
    SpanExample whole, part;
    ASSERT_TRUE(all.make(tree.words(), nullptr, nullptr, scratch, whole));
    ASSERT_TRUE(some.make(tree.words(), nullptr, nullptr, scratch, part));
    EXPECT_LE(part.chart.edges.size(), whole.chart.edges.size());
    const auto best = [&](const SpanExample& example) {
      std::vector<double> s(example.num_parts(), 0.0);
      for (Index e = 0; e < example.generative.size(); ++e) {
        s[example.chart.nodes.size() + e] = static_cast<double>(example.generative[e]);
      }
      ParseForest::Scratch memory;
      ParseForest::Output y;
      return ParseForest(example.chart.forest).maximize(s, memory, y);
    };
    EXPECT_NEAR(best(part), best(whole), 1e-5);
  }
}

}  // namespace
}  // namespace trellis::grammar::span_model_test
