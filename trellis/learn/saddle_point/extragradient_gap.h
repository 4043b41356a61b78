// The gap function (2.18) of a saddle point method at its means (w̄, z̄), in the library's scale:
//
//   P(w̄) = λ/2 ‖w̄‖² + (1/n) Σ_i max_{z ∈ Z_i} (F_iᵀ w̄ + c_i)·(z − z(y_i))
//   D(z̄) = (1/n) [ Σ_i c_i·(z̄_i − z(y_i)) + min_{w ∈ W} λn/2 ‖w‖² + ⟨w, Σ_i F_i (z̄_i − z(y_i))⟩ ]
//
// D(z̄) ≤ min_W P by weak duality, for any z̄ ∈ Z; for nearest points that lie in Z up to the
// residual of their solver (solve/polytopes/polytope_projection.h), up to that residual. The z̄_i
// enter only by two sums, which the methods have; so the gap costs one pass of maximisations, and
// no z̄_i need be stored. The best bound so far is kept. The first is 0, below every loss, and
// usually the only one if W has neither a ball nor a penalty. With a penalty and no ball, the
// tangent of the losses at each w̄ is used as well (certificate.h), unless a kernel replaces the
// features.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

// Σ_i max_z (F_iᵀ w + c_i)·(z − z(y_i)) over all examples; `slope`, if not empty, becomes Σ_i F_i
// (z − z(y_i)) at the maxima. nullopt if the pass was stopped.
std::optional<double> margin_losses(const PartOracle& oracle, std::span<const double> w,
                                    PartPass& pass, std::span<double> slope);

class SaddleGap {
 public:
  // All arguments must outlive it.
  SaddleGap(const PartOracle& oracle, const WeightBallOptions& options, PartPass& pass);

  // Fills objective, bound and loss of `record` at w̄. `slope` = Σ_i F_i (z̄_i − z(y_i)) is
  // overwritten, `cost` = Σ_i c_i·(z̄_i − z(y_i)). False if the pass was stopped.
  bool evaluate(std::span<const double> w, std::span<double> slope, double cost,
                EpochRecord& record);

  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  const PartOracle& oracle_;
  WeightSet weights_;
  double lambda_;
  PartPass& pass_;
  double bound_ = 0;
  std::optional<Certificate> certificate_;
  std::vector<double> tangent_;
};

}  // namespace trellis
