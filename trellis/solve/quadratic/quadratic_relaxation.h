// The linear program (3.3) of a quadratic matching: the integers let go.
//
//   max  s·z   over   Σ_{e ∋ n} z_e ≤ 1 + Σ_d z_nd  for each node n,   z_p ≤ z_a, z_p ≤ z_b  for
//   each
//                     pair p = ab,   0 ≤ z ≤ 1
//
// Where sweeps (quadratic_sweeps.h) prove that a whole output is a best point, that is the answer;
// otherwise Clp says what is.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/quadratic/quadratic_problem.h"
#include "trellis/solve/quadratic/quadratic_rounding.h"

namespace trellis {

LinearProgram quadratic_program(const QuadraticParts& parts);

class QuadraticRelaxation {
 public:
  // A best point into z, all of its parts. Scores as in QuadraticSearch. Throws std::runtime_error
  // where Clp gives up.
  void solve(const QuadraticParts& parts, std::span<const double> s, std::span<double> z);

 private:
  bool round(const QuadraticParts& parts, std::span<const double> s, std::span<double> z);

  std::vector<double> steps_, beliefs_;
  std::vector<EdgeState> states_;
  QuadraticProblem problem_;
  QuadraticRounding rounding_;
};

// The parts that follow from the edges z_e: degrees as low as they may be, pairs as high.
void complete_parts(const QuadraticParts& parts, std::span<double> z);

}  // namespace trellis
