// The systems (A W Aᵀ + E) x = r of one matrix A and many diagonal weights W, E ≥ 0: what Newton's
// method and interior-point methods solve in each step.
//
// The pattern of A Aᵀ and its fill-reducing order (Eigen's SimplicialLDLT with AMD) are found once;
// a new W only has its numbers factorised. E must keep the matrix positive definite.
#pragma once

#include <Eigen/SparseCholesky>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/polytope_rows.h"

namespace trellis {

class NormalEquations {
 public:
  // `rows` must outlive the equations.
  explicit NormalEquations(const PolytopeRows& rows);
  NormalEquations(const NormalEquations&) = delete;
  NormalEquations& operator=(const NormalEquations&) = delete;

  // Columns of weight 0 cost nothing. Fixed rows (empty: none) become rows of the identity.
  void factorize(std::span<const double> weights, std::span<const double> diagonal,
                 std::span<const std::uint8_t> held = {});
  void solve(std::span<const double> right, std::span<double> x);

 private:
  using Matrix = Eigen::SparseMatrix<double>;  // the lower half

  template <class Visit>
  void each_pair(const Visit& visit) const;
  Index place(int row, int column) const;

  const PolytopeRows& rows_;
  Matrix matrix_;
  std::vector<std::uint32_t> places_;  // in matrix_: for each column of A, the pairs of its terms
  std::vector<std::uint32_t> diagonal_places_;  // by row
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
  Eigen::VectorXd solution_;
};

}  // namespace trellis
