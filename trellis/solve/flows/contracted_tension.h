// The smooth half of a tension problem (tension_projection.h): nodes have been fused into groups C,
// and for every kinked edge between two groups it is known which group is higher.
//
//   min_{x ∈ [0,1]^K}  Σ_C ½ A_C x_C² − B_C x_C + Σ_{e = CD} σ_e w_e (x_C − x_D) + ψ_e(x_C − x_D)
//
//   ψ_e(t) = ½ max(0, |t| − d_e)²
//
// A projected semismooth Newton method (Bertsekas 1982): groups that press against a bound are
// fixed, the others move by (A + L) δ = −gradient, where L is the Laplacian of the edges that are
// stretched beyond d_e. With node weights of at least 1 the eigenvalues of A⁻¹(A + L) lie between 1
// and 1 + 2·degree, so conjugate gradients need few steps, whatever the groups are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The derivative of ½ max(0, |t| − d)²: by how much t is stretched beyond its slack.
inline double stretch(double t, double d) {
  return std::copysign(std::max(0.0, std::abs(t) - d), t);
}

class ContractedTension {
 public:
  struct Edge {
    std::uint32_t c = 0;
    std::uint32_t d = 0;
    double pull = 0;   // σw: > 0 where c is the higher one
    double slack = 0;  // d_e ≥ 0
  };

  // To be filled by the caller: A and B by group, and the edges between different groups.
  std::vector<double> weight, moment;
  std::vector<Edge> edges;

  // Improves x, in [0,1]^K, until no group has a (projected) gradient above `tolerance`, or
  // rounding forbids. Returns the largest that is left.
  double minimize(std::span<double> x, double tolerance);

 private:
  double gradient(std::span<const double> x);  // into gradient_; returns the objective
  void estimate_noise();
  double projected_gradient(std::span<const double> x) const;
  void choose_free(std::span<const double> x);
  void newton_direction(double reduction);
  void multiply(std::span<const double> p, std::span<double> q) const;

  struct Stretched {
    std::uint32_t c, d;
  };

  std::vector<double> gradient_, direction_, residual_, p_, q_, diagonal_, trial_;
  std::vector<double> noise_;  // by group: what rounding can do to its gradient
  std::vector<std::uint8_t> free_;
  std::vector<Stretched> stretched_;  // edges with ψ″ = 1 and a free end
};

}  // namespace trellis
