#include "trellis/structure/trees/higher_order_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "tests/structure/trees/dependency_instance.h"
#include "trellis/structure/trees/relaxed_higher_order_tree.h"

namespace trellis {
namespace {

// A sentence with pairs, and the scores of all its labelled trees.
struct PairedSentence {
  explicit PairedSentence(std::uint64_t seed)
      : random(seed),
        arcs(conformance::draw_arcs(1 + random.below(4), 0.9, 3, random)),
        roots(random.below(2) == 0 ? Roots::kAny : Roots::kOne),
        graph(arcs, roots, Crossing::kAllowed, {}),
        fold(arcs, graph),
        s(conformance::draw_scores(conformance::Scores::kSmall, fold.num_parts(), random)),
        trees(conformance::all_trees(arcs, roots)) {
    for (const auto& tree : trees) best = std::max(best, fold.score(s, tree));
  }

  Random random;
  DependencyArcs arcs;
  Roots roots;
  ArcPairGraph graph;
  LabelFold fold;
  std::vector<double> s;
  std::vector<std::vector<std::uint32_t>> trees;
  double best = kImpossible;
};

TEST(HigherOrderSearch, FindsWhatEnumerationFinds) {
  HigherOrderSearch search;
  std::vector<std::uint32_t> tree;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const PairedSentence sentence(seed);
    const MapResult result = search.solve(sentence.arcs, sentence.graph, sentence.s, 64, tree);
    if (sentence.trees.empty()) {
      EXPECT_TRUE(tree.empty());
      continue;
    }
    EXPECT_TRUE(result.proven);
    EXPECT_NEAR(result.value, sentence.best, 1e-9) << seed;
    EXPECT_TRUE(conformance::is_tree(sentence.arcs, sentence.roots, tree));
    EXPECT_NEAR(sentence.fold.score(sentence.s, tree), sentence.best, 1e-9);
  }
}

// Given up early it has a tree that it does not call the best one, unless it is.
TEST(HigherOrderSearch, SaysWhatItHasNotProved) {
  HigherOrderSearch search;
  std::vector<std::uint32_t> tree;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const PairedSentence sentence(seed);
    if (sentence.trees.empty()) continue;
    const MapResult result = search.solve(sentence.arcs, sentence.graph, sentence.s, 1, tree);
    ASSERT_TRUE(conformance::is_tree(sentence.arcs, sentence.roots, tree));
    EXPECT_NEAR(result.value, sentence.fold.score(sentence.s, tree), 1e-9);
    EXPECT_TRUE(!result.proven || result.value >= sentence.best - 1e-9) << seed;
  }
}

// Its points are those of linear_program(), none of which scores more, and no tree does.
TEST(RelaxedHigherOrderTree, MaximizesItsLinearProgram) {
  Index fractional = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const PairedSentence sentence(seed);
    if (sentence.trees.empty()) continue;
    const RelaxedHigherOrderTree relaxed(sentence.arcs, sentence.graph);
    const LpSolution optimum = maximize_linear_program(relaxed.linear_program(), sentence.s);
    ASSERT_EQ(optimum.status, LpStatus::kOptimal);
    RelaxedHigherOrderTree::Scratch scratch;
    RelaxedHigherOrderTree::Output y;
    const double value = relaxed.maximize(sentence.s, scratch, y);
    EXPECT_NEAR(value, optimum.value, 1e-4) << seed;
    EXPECT_GE(value, sentence.best - 1e-9);
    const MaximumBounds found = relaxed.search(sentence.s, scratch, y);
    // Of a point that AD³ has found up to its residual, and so perhaps a little above the bound.
    EXPECT_NEAR(found.value, std::min(found.upper, relaxed.score(sentence.s, y)), 1e-9);
    EXPECT_GE(found.upper, optimum.value - 1e-4);
    if (y.z.empty()) {
      EXPECT_NEAR(found.value, sentence.best, 1e-4);
    } else {
      ++fractional;
    }
  }
  EXPECT_GT(fractional, 0U);
}

}  // namespace
}  // namespace trellis
