#include "trellis/solve/factors/forest_cover.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/solve/factors/random_factor_graphs.h"

namespace trellis {
namespace {

using random_graphs::Cycles;
using random_graphs::random_graph;

// In an acyclic piece factors bring one variable less than they have links to, but for the root.
void check_piece(const ForestCover& cover, const ForestCover::Piece& piece) {
  const FactorGraphLayout& layout = cover.layout();
  const auto factors = cover.factors(piece), parents = cover.parents(piece);
  std::set<std::uint32_t> seen;
  for (Index k = 0; k < factors.size(); ++k) {
    std::set<std::uint32_t> variables;
    for (const Literal& link : layout.links(layout.factor(factors[k]))) {
      variables.insert(static_cast<std::uint32_t>(layout.variable_of(link.state)));
    }
    Index known = 0;
    for (const std::uint32_t v : variables) known += seen.count(v);
    EXPECT_EQ(known, k == 0 ? 0U : 1U);
    if (k > 0) {
      EXPECT_TRUE(seen.count(parents[k]) == 1 && variables.count(parents[k]) == 1);
    }
    seen.insert(variables.begin(), variables.end());
  }
  EXPECT_EQ(seen.size(), cover.variables(piece).size());
}

TEST(ForestCover, HasEachFactorInAnAcyclicPiece) {
  Random random(3);
  for (Index trial = 0; trial < 200; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 1 + random.below(10), 8, random);
    const ForestCover cover(graph);
    std::vector<Index> times(graph.num_factors(), 0);
    std::set<std::pair<Index, std::uint32_t>> taken;
    for (const ForestCover::Piece& piece : cover.pieces()) {
      check_piece(cover, piece);
      for (const std::uint32_t f : cover.factors(piece)) ++times[f];
      for (const std::uint32_t v : cover.variables(piece)) {
        EXPECT_FALSE(cover.alone(piece.forest, v));
        EXPECT_TRUE(taken.insert({piece.forest, v}).second) << "in two pieces of a forest";
      }
    }
    for (const Index n : times) EXPECT_GT(n, 0U);
  }
}

TEST(ForestCover, OfAnAcyclicGraphIsOneForest) {
  Random random(4);
  for (Index trial = 0; trial < 100; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kNone, 1 + random.below(6), 8, random);
    EXPECT_EQ(ForestCover(graph).num_forests(), 1U);
  }
}

// Two states of one variable in a literal factor: a cycle, which is taken apart.
TEST(ForestCover, UntiesTheStatesOfAVariable) {
  FactorGraphBuilder builder;
  const Index v = builder.add_variable(3);
  builder.add_or(std::vector<Literal>{{builder.state(v, 0)}, {builder.state(v, 1)}});
  const FactorGraphLayout graph = builder.build();
  const ForestCover cover(graph);
  ASSERT_EQ(cover.pieces().size(), 1U);
  EXPECT_TRUE(cover.pieces()[0].untied);
}

}  // namespace
}  // namespace trellis
