#include "trellis/solve/polytopes/linear_program.h"

#include <gtest/gtest.h>

#include <vector>

namespace trellis {
namespace {

// max 3x + 2y with x + y ≤ 4, x + 3y ≤ 6, x ≤ 3: the optimum is (3, 1).
LinearProgram small_program() {
  LinearProgram program;
  program.num_parts = program.num_variables = 2;
  program.rows = {{{{0, 1.0}, {1, 1.0}}, -kInfinity, 4.0}, {{{0, 1.0}, {1, 3.0}}, -kInfinity, 6.0}};
  program.upper_bounds = {3.0, kInfinity};
  return program;
}

TEST(LinearProgram, FindsTheVertexThatIsBest) {
  const std::vector<double> objective = {3, 2};
  const LpSolution solution = maximize_linear_program(small_program(), objective);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.value, 11, 1e-9);
  EXPECT_NEAR(solution.x[0], 3, 1e-9);
  EXPECT_NEAR(solution.x[1], 1, 1e-9);
}

TEST(LinearProgram, AShortObjectiveEndsInZeros) {
  const std::vector<double> objective = {1};
  const LpSolution solution = maximize_linear_program(small_program(), objective);
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  EXPECT_NEAR(solution.value, 3, 1e-9);
}

TEST(LinearProgram, SaysWhatIsInfeasible) {
  LinearProgram program = small_program();
  program.rows.push_back({{{0, 1.0}, {1, 1.0}}, 5.0, 5.0});
  const std::vector<double> objective = {1, 1};
  EXPECT_EQ(maximize_linear_program(program, objective).status, LpStatus::kInfeasible);
}

TEST(LinearProgram, SaysWhatIsUnbounded) {
  LinearProgram program;
  program.num_parts = program.num_variables = 2;
  program.rows = {{{{0, 1.0}, {1, -1.0}}, 0.0, 0.0}};
  const std::vector<double> objective = {1, 1};
  EXPECT_EQ(maximize_linear_program(program, objective).status, LpStatus::kUnbounded);
}

}  // namespace
}  // namespace trellis
