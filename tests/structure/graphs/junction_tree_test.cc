#include "trellis/structure/graphs/junction_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis::junction_tree_test {
namespace {

using namespace conformance;

static_assert(Maximizer<JunctionTree> && Summer<JunctionTree> && Sampler<JunctionTree>);
static_assert(!KBest<JunctionTree> && !Projector<JunctionTree>);

using Scopes = std::vector<std::vector<Index>>;

std::vector<std::vector<Label>> all_values(const JunctionTreePlan& plan) {
  std::vector<std::vector<Label>> all;
  std::vector<Label> y(plan.num_variables(), 0);
  for (;;) {
    all.push_back(y);
    Index v = 0;
    while (v < y.size() && static_cast<Index>(y[v]) + 1 == plan.num_values(v)) y[v++] = 0;
    if (v == y.size()) return all;
    ++y[v];
  }
}

// Any graph: factors of one to four variables in any order, some variables in none, some in many.
JunctionTreePlan random_plan(Random& random, Index max_variables = 7) {
  std::vector<Index> cardinalities(random.below(max_variables + 1));
  for (Index& values : cardinalities) values = 1 + random.below(3);
  Scopes scopes;
  const Index num_factors = cardinalities.empty() ? 0 : random.below(2 * cardinalities.size() + 1);
  for (Index f = 0; f < num_factors; ++f) {
    std::vector<Index> scope = random_permutation(cardinalities.size(), Random(random.next()));
    scope.resize(std::min<Index>(scope.size(), 1 + random.below(4)));
    scopes.push_back(std::move(scope));
  }
  return {std::move(cardinalities), std::move(scopes)};
}

TEST(JunctionTree, EqualsEnumeration) {
  Random random(1);
  JunctionTree::Scratch scratch;
  for (int trial = 0; trial < 1500; ++trial) {
    const JunctionTreePlan plan = random_plan(random);
    const JunctionTree tree(plan);
    const Enumeration<JunctionTree> all(tree, all_values(plan));
    if (all.outputs.size() > 250) continue;
    for (const Scores kind : kAllScores) {
      const std::vector<double> s = draw_scores(kind, tree.num_parts(), random);
      check_maximize(all, s, scratch);
      check_sums(all, s, scratch);
    }
  }
}

TEST(JunctionTree, HasGradientsThatAreMarginals) {
  Random random(2);
  JunctionTree::Scratch scratch;
  for (int trial = 0; trial < 50; ++trial) {
    const JunctionTreePlan plan = random_plan(random);
    const JunctionTree tree(plan);
    check_gradient(tree, draw_scores(Scores::kSmall, tree.num_parts(), random), scratch);
  }
}

TEST(JunctionTree, DrawsByProbability) {
  Random random(3);
  JunctionTree::Scratch scratch;
  for (int trial = 0; trial < 10; ++trial) {
    const JunctionTreePlan plan = random_plan(random, 4);
    const JunctionTree tree(plan);
    const Enumeration<JunctionTree> all(tree, all_values(plan));
    check_samples(all, draw_scores(Scores::kSmall, tree.num_parts(), random), 2000, random,
                  scratch);
  }
}

TEST(JunctionTree, HasALinearProgramThatIsTheHull) {
  Random random(4);
  JunctionTree::Scratch scratch;
  for (int trial = 0; trial < 60; ++trial) {
    const JunctionTreePlan plan = random_plan(random, 5);
    const JunctionTree tree(plan);
    const Enumeration<JunctionTree> all(tree, all_values(plan));
    if (all.outputs.size() > 60) continue;
    check_linear_program(all, draw_scores(Scores::kSmall, tree.num_parts(), random), scratch);
    check_linear_program(all, draw_scores(Scores::kTies, tree.num_parts(), random), scratch);
    check_outputs_are_feasible(all);
  }
}

TEST(JunctionTree, FindsTheBestOfEachLevel) {
  Random random(5);
  JunctionTree::Scratch scratch;
  std::vector<ScoredOutput<JunctionTree::Output>> best;
  for (int trial = 0; trial < 400; ++trial) {
    const JunctionTreePlan plan = random_plan(random, 5);
    const JunctionTree tree(plan);
    const Scores kind = kAllScores[random.below(5)];
    const std::vector<double> s = draw_scores(kind, tree.num_parts(), random);
    std::vector<std::uint32_t> levels;
    for (Index v = 0; v < plan.num_variables(); ++v) {
      for (Index a = 0; a < plan.num_values(v); ++a) {
        levels.push_back(static_cast<std::uint32_t>(random.below(4)));
      }
    }
    const auto level_of = [&](const std::vector<Label>& y) {
      Index level = 0;
      for (Index v = 0; v < y.size(); ++v) {
        level += levels[plan.variable_part(v) + static_cast<Index>(y[v])];
      }
      return level;
    };
    const Index num_levels = 1 + random.below(16);
    std::vector<double> expected(num_levels, kImpossible);
    for (const std::vector<Label>& y : all_values(plan)) {
      const Index level = level_of(y);
      if (level < num_levels) expected[level] = std::max(expected[level], tree.score(s, y));
    }
    tree.maximize_levels(s, levels, num_levels, scratch, best);
    ASSERT_EQ(best.size(), num_levels);
    for (Index level = 0; level < num_levels; ++level) {
      EXPECT_EQ(best[level].score, expected[level]);  // to the bit
      if (best[level].score == kImpossible) continue;
      ASSERT_TRUE(tree.legal(best[level].output));
      EXPECT_EQ(level_of(best[level].output), level);
      EXPECT_EQ(tree.score(s, best[level].output), best[level].score);
    }
  }
}

// Logarithms of 0 take outputs away, up to all of them.
TEST(JunctionTree, KnowsWhatIsImpossible) {
  Random random(6);
  JunctionTree::Scratch scratch;
  Index none = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const JunctionTreePlan plan = random_plan(random, 5);
    const JunctionTree tree(plan);
    std::vector<double> s = draw_scores(Scores::kSmall, tree.num_parts(), random);
    for (double& score : s) score = random.below(4) == 0 ? kImpossible : score;
    std::vector<std::vector<Label>> possible;
    double total = 0, best = kImpossible;
    std::vector<double> expected(tree.num_parts(), 0.0), z(tree.num_parts());
    for (const std::vector<Label>& y : all_values(plan)) {
      const double score = tree.score(s, y);
      best = std::max(best, score);
      total += std::exp(score);
      tree.indicator(y, z);
      for (Index p = 0; p < z.size(); ++p) expected[p] += z[p] * std::exp(score);
    }
    JunctionTree::Output y;
    EXPECT_EQ(tree.maximize(s, scratch, y), best);
    const double sum = tree.log_partition(s, scratch, z);
    none += best == kImpossible ? 1 : 0;
    if (best == kImpossible) {
      EXPECT_TRUE(y.empty());
      EXPECT_EQ(sum, kImpossible);
      tree.sample(s, random, scratch, y);
      EXPECT_TRUE(y.empty());
      EXPECT_EQ(tree.entropy(s, scratch), 0);
      for (const double marginal : z) EXPECT_EQ(marginal, 0);
      continue;
    }
    EXPECT_EQ(tree.score(s, y), best);
    EXPECT_NEAR(sum, std::log(total), 1e-12);
    for (Index p = 0; p < z.size(); ++p) EXPECT_NEAR(z[p], expected[p] / total, 1e-12);
    tree.sample(s, random, scratch, y);
    EXPECT_GT(tree.score(s, y), kImpossible);
  }
  EXPECT_GT(none, 50);
}

TEST(JunctionTree, GivesTiesToTheSmallestValues) {
  Random random(7);
  JunctionTree::Scratch scratch;
  for (int trial = 0; trial < 100; ++trial) {
    const JunctionTreePlan plan = random_plan(random);
    JunctionTree::Output y;
    const std::vector<double> s(plan.num_parts(), 0.5);
    JunctionTree(plan).maximize(s, scratch, y);
    EXPECT_EQ(y, JunctionTree::Output(plan.num_variables(), 0));
  }
}

// A grid of 4 by 50 has cliques of five variables, and a tree of a thousand has cliques of two.
TEST(JunctionTree, EliminatesWithLittleFill) {
  Scopes grid;
  for (Index row = 0; row < 50; ++row) {
    for (Index column = 0; column < 4; ++column) {
      const Index v = 4 * row + column;
      if (column + 1 < 4) grid.push_back({v, v + 1});
      if (row + 1 < 50) grid.push_back({v, v + 4});
    }
  }
  EXPECT_EQ(JunctionTreePlan(std::vector<Index>(200, 2), grid).width(), 4u);
  Random random(8);
  Scopes tree;
  for (Index v = 1; v < 1000; ++v) tree.push_back({v, random.below(v)});
  const JunctionTreePlan plan(std::vector<Index>(1000, 3), tree);
  EXPECT_EQ(plan.width(), 1u);
  // Long sums, and a stack in score() that must not grow with the tree.
  JunctionTree::Scratch scratch;
  JunctionTree::Output y;
  const std::vector<double> s = draw_scores(Scores::kSmall, plan.num_parts(), random);
  const double best = JunctionTree(plan).maximize(s, scratch, y);
  EXPECT_EQ(best, JunctionTree(plan).score(s, y));
}

TEST(JunctionTree, RefusesWhatDoesNotFit) {
  EXPECT_THROW(JunctionTreePlan({2, 0}, {}), UsageError);
  EXPECT_THROW(JunctionTreePlan({2, 2}, {{}}), UsageError);
  EXPECT_THROW(JunctionTreePlan({2, 2}, {{0, 2}}), UsageError);
  EXPECT_THROW(JunctionTreePlan({2, 2}, {{1, 0, 1}}), UsageError);
  Scopes pairs;
  for (Index u = 0; u < 40; ++u) {
    for (Index v = 0; v < u; ++v) pairs.push_back({u, v});
  }
  try {
    JunctionTreePlan(std::vector<Index>(40, 2), pairs);
    FAIL() << "40 variables in one clique";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("a clique of 40 variables"), std::string::npos);
  }
}

}  // namespace
}  // namespace trellis::junction_tree_test
