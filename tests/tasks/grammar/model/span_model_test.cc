#include "trellis/tasks/grammar/model/span_model.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/base/input_file.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/tasks/grammar/charting.h"
#include "trellis/tasks/grammar/reading/bracket_reader.h"

namespace trellis::grammar::span_model_test {
namespace {

static_assert(PartModel<SpanModel>);

constexpr std::string_view kTrees =
    "(S (NP (DT the) (NN cook)) (VP (VBZ cuts) (NP (NN bread)) (PP (IN with) (NP (NN care)))))\n"
    "(S (NP (NNS cooks)) (VP (VBP cut) (NP (NP (NN bread)) (PP (IN with) (NP (NNS seeds))))))\n"
    "(S (NP (PRP they)) (VP (VBP eat)))\n"
    "(S (VP (VB eat) (NP (DT the) (NN bread))))\n"
    "(NP (DT the) (JJ old) (JJ sharp) (NN knife))\n";

struct Lesson {
  explicit Lesson(const MarkovOrders& orders, const FilterOptions& filter = {})
      : trees(read_trees(InputFile::from_bytes(std::string(kTrees), "trees"))),
        grammar(make_grammar(orders)) {
    ChartingOptions options;
    options.filter = filter;
    options.threads = 1;
    examples = chart_to_learn(grammar, trees, derivations, options);
    see_true_trees(grammar.keys(), trees, examples, numbers);
    numbers.finish(1);
    number_features(grammar.keys(), numbers, trees, 1, examples);
  }
  ParsingGrammar make_grammar(const MarkovOrders& orders) {
    TreebankGrammar treebank(orders);
    for (const ConstituencyTree& tree : trees) derivations.push_back(treebank.add(tree));
    return ParsingGrammar::from_trees(std::move(treebank), trees, derivations);
  }

  std::vector<ConstituencyTree> trees;
  std::vector<Derivation> derivations;
  ParsingGrammar grammar;
  std::vector<SpanExample> examples;
  SpanNumbers numbers;
};

constexpr MarkovOrders kOrders[] = {{1, 0}, {2, 1}};

TEST(SpanModel, TrueTreesAreInTheChartsAndComeBack) {
  for (const MarkovOrders& orders : kOrders) {
    const Lesson lesson(orders);
    const ChartMaker maker(lesson.grammar, {});
    for (Index i = 0; i < lesson.trees.size(); ++i) {
      const SpanExample& example = lesson.examples[i];
      ASSERT_TRUE(ParseForest(example.chart.forest).legal(example.gold));
      Derivation derivation;
      maker.derivation_of(example.chart, example.gold, derivation);
      EXPECT_EQ(lesson.grammar.treebank().tree_of(derivation, lesson.trees[i].words()),
                lesson.trees[i]);
    }
  }
}

TEST(SpanModel, SlopesTouchAndLieBelow) {
  const Lesson lesson({1, 0});
  const SpanModel model(lesson.numbers.dimension(), lesson.examples);
  const HingeProblem<SpanModel> hinge(model, 1);
  const SmoothProblem<SpanModel> smooth(model, 1, 1);
  for (const ConvexOracle* oracle : std::initializer_list<const ConvexOracle*>{&hinge, &smooth}) {
    trellis::testing::expect_touching(*oracle, 1);
    trellis::testing::expect_minorant(*oracle, 2);
  }
}

TEST(SpanModel, SlopesAreGradients) {
  const Lesson lesson({1, 0});
  const std::vector<SpanExample> one(lesson.examples.begin() + 2, lesson.examples.begin() + 4);
  const SpanModel model(lesson.numbers.dimension(), one);
  trellis::testing::expect_gradient(SmoothProblem<SpanModel>(model, 1, 1), 3);
}

// A tree's cost, by its brackets of two words and more and by those below chains.
TEST(SpanModel, TheTrueTreeCostsLeast) {
  const Lesson lesson({1, 0});
  const SpanModel model(lesson.numbers.dimension(), lesson.examples);
  for (Index i = 0; i < lesson.examples.size(); ++i) {
    const ParseForest forest = model.structure(i);
    std::vector<double> costs(forest.num_parts(), 0.0);
    model.add_costs(i, -1, costs);
    ParseForest::Scratch scratch;
    std::vector<ScoredOutput<ParseForest::Output>> best;
    forest.k_best(costs, 2, scratch, best);
    EXPECT_EQ(best[0].score, forest.score(costs, model.gold(i)));
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
    ASSERT_TRUE(all.make(tree.words(), nullptr, scratch, whole));
    ASSERT_TRUE(some.make(tree.words(), nullptr, scratch, part));
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

// The words of a fold are parsed by what the others say, and their true trees are there all the
// same.
TEST(SpanModel, FoldsDoNotLoseTrueTrees) {
  const Lesson lesson({1, 0});
  ChartingOptions options;
  options.folds = 3;
  options.threads = 1;
  const std::vector<SpanExample> examples =
      chart_to_learn(lesson.grammar, lesson.trees, lesson.derivations, options);
  for (const SpanExample& example : examples) {
    EXPECT_TRUE(ParseForest(example.chart.forest).legal(example.gold));
    for (const float score : example.generative) EXPECT_TRUE(std::isfinite(score));
  }
}

}  // namespace
}  // namespace trellis::grammar::span_model_test
