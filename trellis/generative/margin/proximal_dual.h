// The inner problems of the dual (Yu, Bertsekas & Rousu, Eq. 19), one for each distribution i:
//
//   q_i(μ_i, λ_i) = min_θ  f(θ) + μ_i'θ + λ_i 1'e^θ + γ/2 ‖θ − θⁿ_i‖²
//
// with f as in divergence.h. They come apart into coordinates, f'(x) + μ + λ e^x + γ (x − θⁿ) = 0
// (Eq. 20), which Newton's method solves. For the forward divergence the unknown is u with
// e^u + u = y, y = ln(λ/γ) + θⁿ + (c − μ)/γ, so that x = u + ln(γ/λ): from a start that is never
// too low and never far, four steps or so, whatever the scales of λ and γ are.
//
// Derivatives, with e = e^θ and v = 1 / (f'' + λ e + γ) (Eqs. 21–26, where (23), (25) and (26) have
// λ and γ in each other's places):
//
//   ∂q/∂μ_j = θ_j       ∂²q/∂μ_j²   = −v_j
//   ∂q/∂λ   = Σ_j e_j   ∂²q/∂μ_j∂λ = −e_j v_j       ∂²q/∂λ² = −Σ_j e_j² v_j
//
// Time: O(dimension) for each of these.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/divergence.h"

namespace trellis {

// Where the inner minima are, and what the second derivatives are made of.
struct InnerMinimum {
  std::vector<double> theta;         // θ
  std::vector<double> exp_theta;     // e^θ
  std::vector<double> flatness;      // v_j
  std::vector<double> lambda;        // λ_i
  std::vector<double> mass;          // Σ_j e_j, by distribution
  std::vector<double> mass_falling;  // Σ_j e_j² v_j, by distribution: how fast λ_i lowers the mass
};

class ProximalDual {
 public:
  // `distributions` and `c` must outlive this; every c > 0 (c = 0 is allowed with the forward
  // divergence: f = 0), γ > 0.
  ProximalDual(const Distributions& distributions, Divergence divergence, std::span<const double> c,
               double gamma);

  const Distributions& distributions() const { return *distributions_; }
  double gamma() const { return gamma_; }
  std::span<const double> centre() const { return centre_; }  // θⁿ
  void set_centre(std::span<const double> theta);

  // Σ_i q_i(μ_i, λ_i) − λ_i at the λ of `minimum`, whose other members are filled.
  double evaluate(std::span<const double> mu, InnerMinimum& minimum) const;
  // The largest such sum over λ ≥ 0: λ_i is 0 where the mass is at most 1 without it, and makes the
  // mass 1 elsewhere. Begins at the λ of `minimum` where that has one.
  double maximize(std::span<const double> mu, InnerMinimum& minimum) const;

  // Σ f(θ)
  double divergence(std::span<const double> theta) const;

 private:
  void resize(InnerMinimum& minimum) const;
  void solve(Index i, std::span<const double> mu, double lambda, InnerMinimum& minimum) const;
  void solve_forward(Index i, std::span<const double> mu, double lambda,
                     InnerMinimum& minimum) const;
  void solve_reverse(Index i, std::span<const double> mu, double lambda,
                     InnerMinimum& minimum) const;
  void measure(Index i, InnerMinimum& minimum) const;
  void maximize(Index i, std::span<const double> mu, InnerMinimum& minimum) const;
  double value(Index i, std::span<const double> mu, const InnerMinimum& minimum) const;

  const Distributions* distributions_;
  Divergence divergence_;
  std::span<const double> c_;
  std::vector<double> log_c_;
  double gamma_;
  std::vector<double> centre_;
};

// Moves each distribution whose mass is above 1 down to mass 1 (θ̄^{n,s} of sec. 2.3.3).
void shift_to_feasible(const Distributions& distributions, std::span<double> theta);

// The nearest θ with masses of at most 1.
void project_to_feasible(const Distributions& distributions, std::span<double> theta);

}  // namespace trellis
