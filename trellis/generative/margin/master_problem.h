// The master problem of simplicial decomposition (Yu, Bertsekas & Rousu, Eqs. 10 and 11): the dual
// of (Pₙ) over the convex hull of some vertices (μ^a, ω^a) of 𝒟, or over a sum of such hulls, one
// for each working set (sec. 3.1),
//
//   max_{α, λ}  Σ_a α_a ω^a + Σ_i [ q_i(Σ_a α_a μ_i^a, λ_i) − λ_i ]
//
//   λ ≥ 0,  α ≥ 0,  Σ_a α_a = 1 in each set,
//
// by the projected Newton method (Bertsekas 1982): α and λ that are 0 and would decrease do not
// move, and the others move to the maximum of the second-order model, as far as that increases the
// value. Vertices may be linearly dependent, and then the Hessian is singular; so the step is
// projected on the simplices in the norm of the Hessian itself (Bertsekas 1999, sec. 2.3: a
// quadratic program, solve/polytopes/simplex_qp.h) instead of coordinate by coordinate. The Newton
// step for (α, λ) together is that for α with the Schur complement
//
//   ∂²Q/∂α² = −Σ_i M_i' (V_i − V_i e_i e_i' V_i / e_i' V_i e_i) M_i
//
// with V_i = diag(v) and M_i = (μ_i^a) (without the second term if λ_i = 0). After that, λ is
// maximised exactly instead of moved along the step, which costs one more evaluation.
//
// Time for a step: O(m² dimension + m³) for m vertices that are not fixed at 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/margin/proximal_dual.h"

namespace trellis {

struct MarginVertex {
  std::vector<double> mu;
  double omega = 0;
  double alpha = 0;
  Index idle = 0;  // master problems since α was last above 0
};

class MasterProblem {
 public:
  // At most `most` vertices are kept for each of the sets. `dual` must outlive this.
  MasterProblem(const ProximalDual& dual, Index num_sets, Index most);

  Index num_sets() const { return sets_.size(); }
  Index num_vertices() const;
  std::span<const MarginVertex> vertices(Index set) const { return sets_[set]; }

  // If there are too many vertices, the one that has been idle longest is removed; if none is idle,
  // their combination replaces all (Hearn, Lawphongpanich & Ventura 1987). The first vertex of a
  // set gets α = 1.
  void add(Index set, std::span<const double> mu, double omega);

  // Moves the α of the sets that are `active` (by set) and λ until the value is within `tolerance`
  // of the best, no step raises it, or for `most_steps`. Returns the value.
  double maximize(std::span<const std::uint8_t> active, double tolerance, Index most_steps = 50);

  std::span<const double> mu() const { return mu_; }  // Σ α μ
  double omega() const { return omega_; }             // Σ α ω
  const InnerMinimum& minimum() const { return minimum_; }
  // Σ_{a ∈ set} α_a (ω^a + θ'μ^a): the bound of a set's combination on its risk at θ.
  double combined(Index set, std::span<const double> theta) const;

  void restore(std::vector<std::vector<MarginVertex>> sets, std::vector<double> lambda);

 private:
  struct Movable {  // a vertex that takes part in a step
    MarginVertex* vertex;
    Index set;
    double gradient;  // ω + θ'μ
  };

  void combine();  // mu_ and omega_ from the α
  double evaluate();
  void merge(Index set);
  // The vertices that may move, set by set; returns a bound on what is left to gain.
  double find_movable(std::span<const std::uint8_t> active);
  void fill_hessian();
  void newton_target(std::vector<double>& target) const;
  void solve_set(Index begin, Index end, std::span<const double> linear,
                 std::span<double> target) const;
  bool search(std::span<const double> target, double& value);

  const ProximalDual* dual_;
  Index most_;
  std::vector<std::vector<MarginVertex>> sets_;
  std::vector<double> mu_;
  double omega_ = 0;
  InnerMinimum minimum_;
  std::vector<Movable> movable_;
  std::vector<double> root_;     // V^½
  std::vector<double> rows_;     // V^½ μ^a, projected, by movable vertex
  std::vector<double> hessian_;  // −∂²Q/∂α², of the movable
};

}  // namespace trellis
