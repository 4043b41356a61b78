// Convex programs with a quadratic objective, linear rows and at most one ball, solved by the
// interior-point method of Ipopt (Wächter & Biegler 2006) with MUMPS inside:
//
//   min  ½ xᵀQx + cᵀx     s.t.   row_lower ≤ A x ≤ row_upper,   lower ≤ x ≤ upper,
//                                ‖x_S‖₂ ≤ radius     for a range S of the variables.
//
// For reference solutions of small problems: to about nine digits, and in memory that grows with
// the fill-in of a sparse factorisation. One solve at a time runs in a process (MUMPS is not
// re-entrant); calls from several threads wait for each other.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

struct ConvexProgram {
  struct QuadraticTerm {
    Index row;
    Index column;  // ≤ row: the lower triangle of Q alone
    double value;
  };
  struct Ball {
    Index begin;  // S = [begin, end)
    Index end;
    double radius;
  };

  Index num_variables = 0;
  std::vector<QuadraticTerm> quadratic;  // Q must be positive semi-definite
  std::vector<double> linear;            // c; one per variable
  std::vector<LinearProgram::Row> rows;
  std::vector<double> lower;  // one per variable; ±∞ where there is none
  std::vector<double> upper;
  std::optional<Ball> ball;
};

enum class ConvexStatus {
  kOptimal,     // to the tolerance asked for
  kAcceptable,  // no further progress, near the optimum
  kLimit,       // max_iterations
  kStopped,     // stop was requested
  kFailed,      // infeasible, unbounded, or not solvable in the arithmetic of a double
};

struct ConvexSolution {
  ConvexStatus status = ConvexStatus::kFailed;
  double value = 0;
  std::vector<double> x;
  // The rate at which the value rises with a row's active bound: ≥ 0 for lower, ≤ 0 for upper.
  std::vector<double> row_multipliers;
  Index iterations = 0;
};

struct ConvexOptions {
  double tolerance = 1e-10;  // of the scaled optimality conditions
  Index max_iterations = 500;
  std::stop_token stop;
  std::function<void(Index iteration)> on_iteration = {};  // may be empty
};

// `start` is empty (0, moved into the bounds) or one value per variable. Throws UsageError for
// arrays that do not fit together.
ConvexSolution minimize_convex_program(const ConvexProgram& program,
                                       const ConvexOptions& options = {},
                                       const std::vector<double>& start = {});

}  // namespace trellis
