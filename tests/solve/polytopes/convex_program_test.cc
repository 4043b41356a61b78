#include "trellis/solve/polytopes/convex_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

ConvexProgram unconstrained(Index n) {
  ConvexProgram program;
  program.num_variables = n;
  program.linear.assign(n, 0.0);
  program.lower.assign(n, -kInfinity);
  program.upper.assign(n, kInfinity);
  return program;
}

TEST(ConvexProgram, SquareWithoutConstraintsIsMinusTheGradient) {
  ConvexProgram program = unconstrained(3);
  program.linear = {1, -2, 3};
  for (Index j = 0; j < 3; ++j) program.quadratic.push_back({j, j, 2.0});
  const ConvexSolution solution = minimize_convex_program(program);
  ASSERT_EQ(solution.status, ConvexStatus::kOptimal);
  EXPECT_NEAR(solution.x[0], -0.5, 1e-9);
  EXPECT_NEAR(solution.x[1], 1, 1e-9);
  EXPECT_NEAR(solution.x[2], -1.5, 1e-9);
  EXPECT_NEAR(solution.value, -3.5, 1e-9);
}

// min ½(x² + y²) s.t. x + y ≥ 2: x = y = 1, and the value 1 = lower²/4 rises at the rate 1.
TEST(ConvexProgram, MultipliersAreRatesOfTheValue) {
  ConvexProgram program = unconstrained(2);
  program.quadratic = {{0, 0, 1.0}, {1, 1, 1.0}};
  program.rows.push_back({{{0, 1.0}, {1, 1.0}}, 2, kInfinity});
  ConvexSolution solution = minimize_convex_program(program);
  ASSERT_EQ(solution.status, ConvexStatus::kOptimal);
  EXPECT_NEAR(solution.x[0], 1, 1e-8);
  EXPECT_NEAR(solution.row_multipliers[0], 1, 1e-8);

  program.rows[0] = {{{0, -1.0}, {1, -1.0}}, -kInfinity, -2};
  solution = minimize_convex_program(program);
  EXPECT_NEAR(solution.row_multipliers[0], -1, 1e-8);
}

TEST(ConvexProgram, ALinearObjectiveOverABallEndsAtItsRim) {
  ConvexProgram program = unconstrained(3);
  program.linear = {3, 4, 1};
  program.lower[2] = 0;
  program.ball = ConvexProgram::Ball{0, 2, 2.0};
  const ConvexSolution solution = minimize_convex_program(program);
  ASSERT_EQ(solution.status, ConvexStatus::kOptimal);
  EXPECT_NEAR(solution.x[0], -1.2, 1e-7);
  EXPECT_NEAR(solution.x[1], -1.6, 1e-7);
  EXPECT_NEAR(solution.x[2], 0, 1e-7);
  EXPECT_NEAR(solution.value, -10, 1e-7);
}

// Optimality conditions of random programs: stationarity and the signs of the multipliers.
TEST(ConvexProgram, MeetsTheOptimalityConditions) {
  Random random(4);
  int solved = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 2 + random.below(5);
    ConvexProgram program = unconstrained(n);
    for (double& c : program.linear) c = random.normal();
    std::vector<std::vector<double>> root(n, std::vector<double>(n));
    for (auto& row : root) {
      for (double& value : row) value = random.normal();
    }
    std::vector<std::vector<double>> q(n, std::vector<double>(n, 0.0));
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) {
        for (Index k = 0; k < n; ++k) q[r][c] += root[r][k] * root[c][k];
        if (r == c) q[r][c] += 0.1;
      }
    }
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c <= r; ++c) program.quadratic.push_back({r, c, q[r][c]});
    }
    for (Index k = 0; k < 3; ++k) {
      LinearProgram::Row row;
      for (Index j = 0; j < n; ++j) row.terms.push_back({j, random.normal()});
      row.lower = 0.5;
      row.upper = k == 0 ? 0.5 : kInfinity;
      if (k < n) program.rows.push_back(row);
    }
    const ConvexSolution solution = minimize_convex_program(program);
    if (solution.status == ConvexStatus::kFailed) continue;  // the rows may contradict each other
    ++solved;
    for (Index j = 0; j < n; ++j) {
      double gradient = program.linear[j];
      for (Index k = 0; k < n; ++k) gradient += q[j][k] * solution.x[k];
      for (Index r = 0; r < program.rows.size(); ++r) {
        gradient -= solution.row_multipliers[r] * program.rows[r].terms[j].coefficient;
      }
      EXPECT_NEAR(gradient, 0, 1e-6);
    }
    for (Index r = 0; r < program.rows.size(); ++r) {
      double activity = 0;
      for (const LinearProgram::Term& term : program.rows[r].terms) {
        activity += term.coefficient * solution.x[term.variable];
      }
      EXPECT_GE(activity, 0.5 - 1e-7);
      if (r == 0) {
        EXPECT_NEAR(activity, 0.5, 1e-7);
      } else {
        EXPECT_GE(solution.row_multipliers[r], -1e-7);
        EXPECT_NEAR(solution.row_multipliers[r] * (activity - 0.5), 0, 1e-6);
      }
    }
  }
  EXPECT_GE(solved, 15);
}

TEST(ConvexProgram, RowsThatContradictEachOtherFail) {
  ConvexProgram program = unconstrained(1);
  program.quadratic = {{0, 0, 1.0}};
  program.rows.push_back({{{0, 1.0}}, 1, kInfinity});
  program.rows.push_back({{{0, 1.0}}, -kInfinity, 0});
  const ConvexStatus status = minimize_convex_program(program).status;
  EXPECT_TRUE(status == ConvexStatus::kFailed || status == ConvexStatus::kLimit);
}

TEST(ConvexProgram, StopsWhenAsked) {
  ConvexProgram program = unconstrained(1);
  program.quadratic = {{0, 0, 1.0}};
  program.linear = {1};
  program.lower = {0};
  std::stop_source source;
  source.request_stop();
  ConvexOptions options;
  options.stop = source.get_token();
  EXPECT_EQ(minimize_convex_program(program, options).status, ConvexStatus::kStopped);
}

TEST(ConvexProgram, RefusesArraysThatDoNotFit) {
  ConvexProgram program = unconstrained(2);
  program.linear.pop_back();
  EXPECT_THROW(minimize_convex_program(program), UsageError);
  program = unconstrained(2);
  program.rows.push_back({{{2, 1.0}}, 0, 1});
  EXPECT_THROW(minimize_convex_program(program), UsageError);
  program = unconstrained(2);
  program.quadratic = {{0, 1, 1.0}};
  EXPECT_THROW(minimize_convex_program(program), UsageError);
  program = unconstrained(2);
  program.ball = ConvexProgram::Ball{0, 3, 1.0};
  EXPECT_THROW(minimize_convex_program(program), UsageError);
  program = unconstrained(2);
  EXPECT_THROW(minimize_convex_program(program, {}, {1.0}), UsageError);
}

}  // namespace
}  // namespace trellis
