// The set W of weights that the saddle-point methods search, and its projections (Lacoste-Julien
// 2009, sec. 2.4.1.2):
//
//   W = { w : w_j ≥ 0 for j ∈ N, and ‖w‖₂ ≤ R or ‖w‖₁ ≤ R or no such bound },   N = nonnegative().
//
// The nearest point of W. {w_N ≥ 0} is a cone, and the nearest point of a cone within a Euclidean
// ball around its tip is the nearest point of the cone, scaled (Moreau 1962): first clip, then
// scale. In the 1-norm: clip, then move every |w_j| towards 0 by one threshold τ, which is
// separable and optimal by the multiplier τ of ‖w‖₁ ≤ R.
//
// The least value of a linear function with the penalty, which is the lower bound of the gap
// function (2.18). Let g⁻ be g without the positive entries on N, which no weight can use:
//
//   min_{w ∈ W} λn/2 ‖w‖² + ⟨g, w⟩ =  min_{0 ≤ r ≤ R} λn/2 r² − r ‖g⁻‖₂    or    −R ‖g⁻‖_∞.
//
// Norms are the oracle's, so the Euclidean ball serves kernels as well: there are no coordinates
// to clip.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

enum class WeightBall {
  kNone,       // all weights
  kEuclidean,  // ‖w‖₂ ≤ radius
  kL1,         // ‖w‖₁ ≤ radius
};

// What the saddle-point methods minimise over W:  λ/2 ‖w‖² + (1/n) Σ_i L_i(w).
struct WeightBallOptions {
  double lambda = 0;  // ≥ 0; 0 with kL1
  WeightBall ball = WeightBall::kNone;
  double radius = std::numeric_limits<double>::infinity();  // > 0, and finite where there is a ball

  // Throws UsageError, in the name of `learner`.
  void validate(const PartOracle& oracle, std::string_view learner) const;
  std::string identity() const;
};

class WeightSet {
 public:
  // `oracle` must outlive the set.
  WeightSet(const PartOracle& oracle, const WeightBallOptions& options)
      : oracle_(&oracle), options_(options) {}

  struct Projection {
    double squared_norm;  // of the result, in the 2-norm
    double factor;        // what the clipped vector was scaled by; 1 where there is no 2-norm ball
  };
  // w ← the nearest point of W, in the 2-norm.
  Projection project(std::span<double> w) const;
  bool contains_all() const {
    return options_.ball == WeightBall::kNone && oracle_->nonnegative().empty();
  }

  // min_{w ∈ W} λn/2 ‖w‖² + ⟨g, w⟩; `g` loses its entries that no weight can use. −∞ where there is
  // neither a penalty nor a ball, unless g⁻ = 0.
  double minimum(std::span<double> g) const;

  double squared_norm(std::span<const double> w) const { return oracle_->inner_product(w, w); }

 private:
  void shrink_to_l1_ball(std::span<double> w) const;

  const PartOracle* oracle_;
  WeightBallOptions options_;
};

}  // namespace trellis
