// Linear programs as plain data, and their solution by COIN-OR Clp.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// { x : lower ≤ A x ≤ upper, 0 ≤ x ≤ bound }, with A by rows. The first `num_parts` variables are
// the parts of a structure; the others are auxiliary.
struct LinearProgram {
  struct Term {
    Index variable;
    double coefficient;
  };
  struct Row {
    std::vector<Term> terms;
    double lower = 0;
    double upper = 0;
  };

  Index num_parts = 0;
  Index num_variables = 0;
  std::vector<Row> rows;
  std::vector<double> upper_bounds;  // one per variable; empty: no upper bounds
};

enum class LpStatus { kOptimal, kInfeasible, kUnbounded, kFailed };

struct LpSolution {
  LpStatus status = LpStatus::kFailed;
  double value = 0;
  std::vector<double> x;
};

// max ⟨objective, x⟩ over the program; `objective` may be shorter than num_variables (zeros
// follow).
LpSolution maximize_linear_program(const LinearProgram& program, std::span<const double> objective);

}  // namespace trellis
