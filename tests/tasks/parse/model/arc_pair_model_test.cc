#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/structure/trees/dependency_instance.h"
#include "tests/tasks/parse/model/small_lesson.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/trees/label_fold.h"
#include "trellis/tasks/parse/features/arc_pair_templates.h"
#include "trellis/tasks/parse/model/arc_model.h"
#include "trellis/tasks/parse/model/arc_pair_scorer.h"
#include "trellis/tasks/parse/model/pair_inference.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {
namespace {

using parse::testing::Lesson;
using parse::testing::tiny_text;
using parse::testing::treebank_of;

static_assert(PartModel<ArcModel<RelaxedHigherOrderTree>> && PartModel<ArcModel<BeliefTree>> &&
              PartModel<ArcModel<ReweightedTree>>);

std::vector<double> drawn_weights(Index n, std::uint64_t seed) {
  Random random(seed);
  return trellis::testing::random_weights(n, 0.3, random);
}

TEST(ArcPairModel, FeaturesAreTheTransposeOfScores) {
  const Lesson lesson(treebank_of(tiny_text()), 2);
  const ArcModel<RelaxedHigherOrderTree> model(lesson.weights(), lesson.examples, Roots::kAny);
  const std::vector<double> w = drawn_weights(model.dimension(), 1);
  for (Index i = 0; i < model.num_examples(); ++i) {
    const Index parts = model.structure(i).num_parts();
    ASSERT_EQ(parts, lesson.examples[i].num_parts());
    std::vector<double> s(parts);
    model.scores(i, w, s);
    const std::vector<double> z = drawn_weights(parts, 2 + i);
    std::vector<double> dense(model.dimension(), 0.0);
    model.add_features(i, z, 0.5, dense);
    EXPECT_NEAR(dot(dense, w), 0.5 * dot(s, z), 1e-9);
    ArcWeights::Workspace workspace;
    SparseVector slope;
    model.features(i, z, 0.5, workspace, slope);
    EXPECT_NEAR(slope.dot(w), 0.5 * dot(s, z), 1e-9);
  }
}

// Σ exp and the maximum of score and cost over the trees of an example.
struct EnumeratedTrees {
  EnumeratedTrees(const Lesson& lesson, const ArcExample& example, const std::vector<double>& w,
                  double gamma)
      : s(example.num_parts()) {
    const LabelFold fold(example.arcs.parts, *example.graph);
    lesson.weights().scores(example, w, s);
    ArcWeights::add_costs(example, gamma, s);
    truth = fold.score(s, example.gold);
    best = truth;
    double sum = 0;
    for (const auto& tree : conformance::all_trees(example.arcs.parts, Roots::kAny)) {
      const double score = fold.score(s, tree);
      best = std::max(best, score);
      sum += std::exp(score - truth);
    }
    loss = std::log(sum);
  }

  std::vector<double> s;
  double truth = 0, best = 0;
  double loss = 0;  // of exact sums
};

// The upper bound of the search, which nothing puts back above the truth.
TEST(ArcPairModel, AHingeOfRelaxedTreesIsNeverBelowThatOfTrees) {
  const Lesson lesson(treebank_of(tiny_text()), 2);
  const ArcModel<RelaxedHigherOrderTree> model(lesson.weights(), lesson.examples, Roots::kAny);
  const SearchProblem<ArcModel<RelaxedHigherOrderTree>> hinge(model, 1);
  const auto scratch = hinge.make_scratch();
  Index violated = 0;
  for (const std::uint64_t seed : {3, 4, 5}) {
    const std::vector<double> w = drawn_weights(model.dimension(), seed);
    std::vector<double> gradient(w.size());
    for (Index i = 0; i < model.num_examples(); ++i) {
      const EnumeratedTrees trees(lesson, lesson.examples[i], w, 1);
      const double exact = trees.best - trees.truth;
      violated += exact > 0 ? 1 : 0;
      EXPECT_GE(hinge.accumulate_bounds(i, w, *scratch, gradient).upper, exact - 1e-9);
      // The relaxed trees themselves, before the problem looks at the truth.
      const auto structure = model.structure(i);
      typename RelaxedHigherOrderTree::Scratch memory;
      typename RelaxedHigherOrderTree::Output point;
      EXPECT_GE(structure.search(trees.s, memory, point).upper, trees.best - 1e-9);
    }
  }
  EXPECT_GT(violated, 3U);
}

// Nothing in the problem keeps it there: the bound of the sums does.
TEST(ArcPairModel, AReweightedLossIsNeverBelowThatOfExactSums) {
  const Lesson lesson(treebank_of(tiny_text()), 2);
  std::vector<ArcExample> examples = lesson.examples;
  for (ArcExample& example : examples) {
    example.cover = std::make_shared<const ForestCover>(example.graph->layout());
  }
  const ArcModel<ReweightedTree> model(lesson.weights(), examples, Roots::kAny);
  const SmoothProblem<ArcModel<ReweightedTree>> smooth(model, 1, 0);
  const auto scratch = smooth.make_scratch();
  for (const std::uint64_t seed : {6, 7}) {
    std::vector<double> w = drawn_weights(model.dimension(), seed);
    scale(10, w);
    Cut cut;
    for (Index i = 0; i < model.num_examples(); ++i) {
      const EnumeratedTrees trees(lesson, examples[i], w, 0);
      EXPECT_GE(smooth.evaluate(i, w, *scratch, cut), trees.loss - 1e-9);
    }
  }
}

TEST(ArcPairModel, AModelFileScoresPairsAsTrainingDoes) {
  const Lesson lesson(treebank_of(tiny_text()), 2);
  std::vector<double> w = drawn_weights(lesson.numbers.dimension(), 8);
  for (double& weight : w) weight = static_cast<float>(weight);
  ParseModelParts parts;
  parts.labels = &lesson.labels;
  parts.tags = &lesson.tags;
  parts.sets = &lesson.builder;
  parts.shape = lesson.shape;
  parts.filter.prune = false;
  parts.numbers = &lesson.numbers;
  parts.weights = w;
  const ParseModel model = ParseModel::from_parts(parts);
  EXPECT_EQ(model.shape().order, 2);
  const Parser parser(model);
  Parser::Scratch scratch;
  ParsedTree tree;
  for (Index i = 0; i < lesson.examples.size(); ++i) {
    parser.parse(lesson.treebank.sentences[i], scratch, tree);
    std::vector<double> s(lesson.examples[i].num_parts());
    lesson.weights().scores(lesson.examples[i], w, s);
    ASSERT_EQ(scratch.scores.size(), s.size());
    for (Index p = 0; p < s.size(); ++p) EXPECT_NEAR(scratch.scores[p], s[p], 1e-12);
    // The tree's score is that of its arcs and of the pairs that it has.
    std::vector<std::uint32_t> heads;
    for (const ParsedArc& arc : tree.arcs) heads.push_back(arc.head);
    double score = 0;
    for (const std::uint32_t p : scratch.output) score += s[p];
    for (const ArcPair& pair : lesson.shape.pairs_of_tree(heads)) {
      score += pair_score(scratch.atoms, pair, model.arc_weights());
    }
    EXPECT_NEAR(tree.score, score, 1e-9);
  }
  std::vector<ParsedTree> trees;
  const double log_sum = parser.n_best(lesson.treebank.sentences[0], 5, scratch, trees);
  parser.parse(lesson.treebank.sentences[0], scratch, tree);
  ASSERT_EQ(trees.size(), 5U);
  EXPECT_EQ(trees[0].score, tree.score);
  EXPECT_GT(trees[0].score, trees[4].score);
  EXPECT_GT(log_sum, trees[4].score);
  for (const ParsedTree& one : trees) EXPECT_TRUE(one.proven);
}

TEST(ArcPairTemplates, FeaturesOfDifferentKindsAndWordsDiffer) {
  const Treebank treebank = treebank_of(tiny_text());
  const TagNumbers tags(coarse_tags(treebank.sentences));
  SentenceAtoms atoms;
  atoms.assign(treebank.sentences[3], tags);
  ArcPairFeatures features(atoms);
  std::set<std::uint64_t> seen;
  Index count = 0;
  for (const ArcPair& pair :
       {ArcPair{ArcPairKind::kConsecutive, 2, 3, 4}, ArcPair{ArcPairKind::kSiblings, 2, 3, 4},
        ArcPair{ArcPairKind::kGrandparent, 2, 3, 4}, ArcPair{ArcPairKind::kGrandparent, 2, 0, 4},
        ArcPair{ArcPairKind::kConsecutive, 2, kNoWord, 4},
        ArcPair{ArcPairKind::kConsecutive, 2, 4, kNoWord}}) {
    features.each(pair, [&](std::uint64_t fp) {
      seen.insert(fp);
      ++count;
    });
  }
  EXPECT_EQ(seen.size(), count);
}

}  // namespace
}  // namespace trellis::parse
