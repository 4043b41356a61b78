// A point close to the nearest one of a polytope, by Mehrotra's (1992) primal-dual interior-point
// method for the quadratic program
//
//   min ½‖z − v‖²   subject to   A z + t = b,   z + y = u,   z, y, t ≥ 0
//
// (t at inequalities alone, y at finite bounds alone). With the multipliers λ of the rows (≥ 0 at
// inequalities), s of z ≥ 0 and w of z ≤ u, its optimality conditions are
//
//   z − v + Aᵀλ − s + w = 0,     z s = 0,  y w = 0,  t λ = 0  (componentwise)
//
// and the path where the products are μ instead of 0 leads there. A step eliminates all but λ:
//
//   (A Θ Aᵀ + T/Λ) dλ = …,     Θ = 1 / (1 + s/z + w/y)
//
// twice with one factorisation, for the predictor and the corrector. The number of steps hardly
// depends on v; what they cannot do is end at the optimum itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/normal_equations.h"
#include "trellis/solve/polytopes/polytope_rows.h"

namespace trellis {

class InteriorPoint {
 public:
  static constexpr Index kMaxSteps = 60;

  // Both must outlive it.
  InteriorPoint(const PolytopeRows& rows, NormalEquations& equations)
      : rows_(rows), equations_(equations) {}

  // v by column of `rows`; λ: on return, by row. Stops if the mean product is below `precision` and
  // the residuals are below that times max(1, ‖v‖∞), or if steps no longer move. Returns the number
  // of steps, with one factorisation each.
  Index approach(std::span<const double> v, double precision, std::span<double> lambda);

 private:
  using Vector = std::vector<double>;

  // The positive variables in pairs whose product is to vanish: (z, s), (y, w), (t, λ).
  struct Pairs {
    Vector primal, dual, primal_step, dual_step, target;
    void resize(Index size);
    double product_after(double step) const;
    double longest_step() const;
    void set_targets(double mu, bool second_order);
    void move(double step);
  };

  void start(std::span<const double> v);
  double find_residuals(std::span<const double> v);
  void factorize();
  void find_step();
  void set_targets(double mu, bool second_order);
  double longest_step() const;
  double mean_product(double step) const;
  void move(double step);

  const PolytopeRows& rows_;
  NormalEquations& equations_;
  Vector lambda_, lambda_step_;
  Pairs lower_, upper_, slack_;  // by column, by column with a finite bound, by inequality
  std::vector<Index> bounded_, unequal_;
  Vector dual_residual_, row_residual_, bound_residual_;
  Vector theta_, pull_, diagonal_, right_;
};

}  // namespace trellis
