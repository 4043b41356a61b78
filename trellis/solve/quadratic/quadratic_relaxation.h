// The linear program (3.3) of a quadratic matching, without integrality.
//
//   max  s·z   over   Σ_{e ∋ n} z_e ≤ 1 + Σ_d z_nd  for each node n,
//                     z_p ≤ z_a, z_p ≤ z_b  for each pair p = ab,   0 ≤ z ≤ 1
//
// An edge that loses even with all of its pairs is left out first. If sweeps (quadratic_sweeps.h)
// prove that an integral output is a best point, that is the result; otherwise the components are
// solved one by one, with Clp for those where sweeps leave a gap.
#pragma once

#include <cstdint>
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
  // Writes a best point to z, with all of its parts. Scores as in QuadraticSearch. Returns the
  // number of components solved by Clp. Throws std::runtime_error if Clp fails.
  Index solve(const QuadraticParts& parts, std::span<const double> s, std::span<double> z);

 private:
  void drop_hopeless(std::vector<EdgeState>& states) const;
  bool prove(QuadraticProblem& problem, std::span<double> z);
  static void ask_clp(const QuadraticProblem& problem, std::span<double> z);
  // part ← the free edges of the problem.
  void extract(const QuadraticProblem& problem, QuadraticProblem& part);

  double tolerance_ = 0;
  std::vector<double> steps_, beliefs_;
  std::vector<EdgeState> states_;
  std::vector<std::uint32_t> component_, taken_;
  QuadraticProblem all_, problem_, part_;
  QuadraticReduction reduction_;
  QuadraticRounding rounding_;
};

// The parts that follow from the edges z_e: degrees as low as they may be, pairs as high.
void complete_parts(const QuadraticParts& parts, std::span<double> z);

}  // namespace trellis
