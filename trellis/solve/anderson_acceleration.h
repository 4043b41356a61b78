// Anderson (1965) acceleration of a fixed-point iteration x ← G(x): the next point is the
// combination of the last m steps whose residual f = G(x) − x is smallest,
//
//   x ← G(x_k) − Σ_j γ_j ΔG_j,    γ = argmin ‖f_k − Σ_j γ_j Δf_j‖²,    Δ_j: change in step j
//
// For a map that is linear near its fixed point this is equivalent to GMRES for linear systems
// (Walker & Ni 2011). Plain steps of a nonexpansive map never increase the residual; an accelerated
// step that does is undone (as in Zhang, O'Donoghue & Boyd 2020).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Owns its memory, 2m + 3 vectors, which it reuses after a reset.
class AndersonAcceleration {
 public:
  static constexpr Index kSteps = 10;  // m

  void reset(Index size);
  // `x` is a point; `next` is G(x) on entry and the next point on return. False if the last step is
  // undone.
  bool step(std::span<const double> x, std::span<double> next);

 private:
  void add_change(std::span<const double> next);
  bool solve();

  Index size_ = 0;
  Index count_ = 0;  // of changes there are
  Index oldest_ = 0;
  bool begun_ = false;
  bool accelerated_ = false;                  // the last step was
  double length_ = 0;                         // ‖f‖² of the last point that was kept
  std::vector<double> residual_, plain_;      // f and G of the last point
  std::vector<std::vector<double>> df_, dg_;  // the first kSteps
  std::vector<double> products_;              // of Δf, kSteps² of them
  std::vector<double> reach_;                 // ⟨Δf_j, f⟩
  std::vector<double> matrix_, gamma_, fresh_;
};

}  // namespace trellis
