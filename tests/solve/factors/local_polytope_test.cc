#include "trellis/solve/factors/local_polytope.h"

#include <gtest/gtest.h>

#include "tests/solve/factors/random_factor_graphs.h"

namespace trellis {
namespace {

using random_graphs::kAllKinds;

// The rows of parts alone; those with flows need a point of theirs.
bool within(const LinearProgram& program, const std::vector<double>& z) {
  for (const LinearProgram::Row& row : program.rows) {
    double sum = 0;
    bool has_flow = false;
    for (const LinearProgram::Term& term : row.terms) {
      if (term.variable >= program.num_parts) {
        has_flow = true;
        break;
      }
      sum += term.coefficient * z[term.variable];
    }
    if (!has_flow && (sum < row.lower || sum > row.upper)) return false;
  }
  return true;
}

TEST(LocalPolytope, OfASingleFactorIsTheHull) {
  Random random(31);
  for (const FactorKind kind : kAllKinds) {
    for (Index trial = 0; trial < 60; ++trial) {
      const FactorGraphLayout graph = random_graphs::single_factor(kind, random);
      const LinearProgram program = local_polytope(graph);
      const auto s = random_graphs::draw_scores(graph.num_parts(), 1, random);
      const random_graphs::Sums sums = random_graphs::enumerate_sums(graph, s);
      const LpSolution solution = maximize_linear_program(program, s);
      if (sums.best.empty()) {
        EXPECT_EQ(solution.status, LpStatus::kInfeasible) << to_string(kind);
        continue;
      }
      EXPECT_TRUE(within(program, sums.best)) << to_string(kind);
      ASSERT_EQ(solution.status, LpStatus::kOptimal) << to_string(kind);
      double best = 0;
      for (Index p = 0; p < s.size(); ++p) best += s[p] * sums.best[p];
      EXPECT_NEAR(solution.value, best, 1e-7) << to_string(kind);
    }
  }
}

// Three that must differ pairwise, of two states each: the relaxation does not see it.
TEST(LocalPolytope, OfACycleIsARelaxation) {
  FactorGraphBuilder builder;
  std::vector<std::uint32_t> states;
  for (Index i = 0; i < 3; ++i) states.push_back(builder.state(builder.add_switch()));
  for (Index i = 0; i < 3; ++i) {
    builder.add_one_of(std::vector<Literal>{{states[i]}, {states[(i + 1) % 3]}});
  }
  const FactorGraphLayout graph = builder.build();
  EXPECT_TRUE(random_graphs::legal_assignments(graph).empty());
  const LpSolution solution =
      maximize_linear_program(local_polytope(graph), std::vector<double>(3, 1.0));
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.value, 1.5, 1e-9);
}

}  // namespace
}  // namespace trellis
