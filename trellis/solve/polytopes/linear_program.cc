#include "trellis/solve/polytopes/linear_program.h"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace trellis {
namespace {

// Clp's word for "no bound".
double clp_bound(double value) {
  return std::isinf(value) ? std::copysign(COIN_DBL_MAX, value) : value;
}

CoinPackedMatrix matrix_of(const LinearProgram& program) {
  std::vector<double> elements;
  std::vector<int> columns;
  std::vector<CoinBigIndex> begins{0};
  for (const LinearProgram::Row& row : program.rows) {
    for (const LinearProgram::Term& term : row.terms) {
      assert(term.variable < program.num_variables);
      columns.push_back(static_cast<int>(term.variable));
      elements.push_back(term.coefficient);
    }
    begins.push_back(static_cast<CoinBigIndex>(elements.size()));
  }
  return CoinPackedMatrix(false, static_cast<int>(program.num_variables),
                          static_cast<int>(program.rows.size()),
                          static_cast<CoinBigIndex>(elements.size()), elements.data(),
                          columns.data(), begins.data(), nullptr);
}

LpStatus status_of(const ClpSimplex& simplex) {
  if (simplex.isProvenOptimal()) return LpStatus::kOptimal;
  if (simplex.isProvenPrimalInfeasible()) return LpStatus::kInfeasible;
  if (simplex.isProvenDualInfeasible()) return LpStatus::kUnbounded;
  return LpStatus::kFailed;
}

}  // namespace

LpSolution maximize_linear_program(const LinearProgram& program,
                                   std::span<const double> objective) {
  assert(objective.size() <= program.num_variables);
  assert(program.upper_bounds.empty() || program.upper_bounds.size() == program.num_variables);
  std::vector<double> costs(program.num_variables, 0.0);
  std::transform(objective.begin(), objective.end(), costs.begin(), [](double c) { return -c; });
  const std::vector<double> lower(program.num_variables, 0.0);
  std::vector<double> upper(program.num_variables, COIN_DBL_MAX);
  std::transform(program.upper_bounds.begin(), program.upper_bounds.end(), upper.begin(),
                 clp_bound);
  std::vector<double> row_lower, row_upper;
  for (const LinearProgram::Row& row : program.rows) {
    row_lower.push_back(clp_bound(row.lower));
    row_upper.push_back(clp_bound(row.upper));
  }

  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix_of(program), lower.data(), upper.data(), costs.data(),
                      row_lower.data(), row_upper.data());
  simplex.dual();
  // A dual simplex that gives up on its tolerances may leave a basis that the primal one finishes.
  if (status_of(simplex) == LpStatus::kFailed) simplex.primal();

  LpSolution solution;
  solution.status = status_of(simplex);
  if (solution.status != LpStatus::kOptimal) return solution;
  const double* x = simplex.primalColumnSolution();
  solution.x.assign(x, x + program.num_variables);
  for (Index i = 0; i < objective.size(); ++i) solution.value += objective[i] * x[i];
  return solution;
}

}  // namespace trellis
