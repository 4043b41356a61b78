#include "trellis/structure/graphs/factor_graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solve/factors/factor_instance.h"
#include "tests/structure/structure_conformance.h"
#include "trellis/structure/graphs/relaxed_factor_graph.h"

namespace trellis::factor_instances {
namespace {

using conformance::Enumeration;
using conformance::Scores;

// calls body(graph, random) for random graphs that can be enumerated.
template <class Body>
void each_small_graph(Index most, std::uint64_t seeds, const Body& body) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(2 + seed % 6);
    if (num_assignments(graph) <= most) body(graph, draw.random());
  }
}

TEST(FactorGraph, ConformsToEnumeration) {
  FactorGraph::Scratch scratch;
  each_small_graph(2000, 120, [&](const FactorGraphLayout& layout, Random& random) {
    const FactorGraph structure(layout);
    const Enumeration<FactorGraph> all(structure, legal_assignments(layout));
    for (const Scores kind : conformance::kAllScores) {
      const std::vector<double> s = conformance::draw_scores(kind, layout.num_parts(), random);
      conformance::check_maximize(all, s, scratch);
    }
  });
}

TEST(FactorGraph, TheKBestAreThoseOfEnumeration) {
  FactorGraph::Scratch scratch;
  each_small_graph(200, 60, [&](const FactorGraphLayout& layout, Random& random) {
    const FactorGraph structure(layout);
    const Enumeration<FactorGraph> all(structure, legal_assignments(layout));
    for (const Scores kind : conformance::kAllScores) {
      const std::vector<double> s = conformance::draw_scores(kind, layout.num_parts(), random);
      for (const Index k : {Index{1}, Index{4}}) conformance::check_k_best(all, s, k, scratch);
    }
    if (all.outputs.size() > 20) return;
    const std::vector<double> s =
        conformance::draw_scores(Scores::kSmall, layout.num_parts(), random);
    conformance::check_k_best(all, s, all.outputs.size() + 3, scratch);
  });
}

TEST(FactorGraph, AssignmentsLieInTheLocalPolytope) {
  each_small_graph(60, 40, [&](const FactorGraphLayout& layout, Random&) {
    const FactorGraph structure(layout);
    const Enumeration<FactorGraph> all(structure, legal_assignments(layout));
    conformance::check_outputs_are_feasible(all);
  });
}

TEST(RelaxedFactorGraph, ReachesTheLinearProgram) {
  RelaxedFactorGraph::Scratch scratch;
  RelaxedFactorGraph::Output y;
  Index fractional = 0;
  each_small_graph(20000, 300, [&](const FactorGraphLayout& layout, Random& random) {
    const RelaxedFactorGraph structure(layout);
    for (const Scores kind : conformance::kAllScores) {
      SCOPED_TRACE(static_cast<int>(kind));
      const std::vector<double> s = conformance::draw_scores(kind, layout.num_parts(), random);
      const double value = structure.maximize(s, scratch, y);
      const LpSolution program = maximize_linear_program(structure.linear_program(), s);
      if (program.status == LpStatus::kInfeasible) {
        EXPECT_EQ(value, kImpossible);
        continue;
      }
      ASSERT_EQ(program.status, LpStatus::kOptimal);
      double size = 1;
      for (const double score : s) size = std::max(size, std::abs(score));
      EXPECT_TRUE(scratch.result.convergence.converged);
      EXPECT_NEAR(value, program.value, 1e-6 * size);
      EXPECT_GE(value, program.value - 1e-9 * size * static_cast<double>(s.size()));
      EXPECT_NEAR(structure.score(s, y), program.value, 1e-6 * size);
      fractional += scratch.result.integral ? 0 : 1;
      if (kind == Scores::kSmall) {
        EXPECT_TRUE(structure.legal(y));
      }
    }
  });
  EXPECT_GT(fractional, 20U);
}

TEST(RelaxedFactorGraph, KnowsItsPoints) {
  FactorGraphBuilder builder;
  const std::uint32_t a = builder.state(builder.add_switch());
  const std::uint32_t b = builder.state(builder.add_switch());
  builder.add_pair(a, b);
  const FactorGraphLayout layout = builder.build();
  const RelaxedFactorGraph structure(layout);
  EXPECT_TRUE(structure.legal({0.5, 0.5, 0.25}));
  EXPECT_TRUE(structure.legal({0.5, 0.75, 0.5}));
  EXPECT_FALSE(structure.legal({0.5, 0.75, 0.2}));
  EXPECT_FALSE(structure.legal({0.5, 0.75, 0.6}));
  EXPECT_FALSE(structure.legal({1.5, 0, 0}));
  EXPECT_FALSE(structure.legal({1, 0}));
}

}  // namespace
}  // namespace trellis::factor_instances
