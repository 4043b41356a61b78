// Problem (P) of margin_training.h in the straightforward way, for comparison: steps along a
// subgradient of the primal objective, each followed by the nearest point with masses of at most 1.
//
//   θ ← Π(θ − s g),     g ∈ ∂P(θ),     s = (P(θ) − level) / ‖g‖²
//
// (Polyak 1969), g a shortest one among those that differ by a normal of the constraints. With the
// level at the optimum the best value converges to it; with a lower bound as the level it comes as
// close as that is, or nearly. Slow: hundreds of passes for a digit.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/divergence.h"
#include "trellis/generative/margin/margin_risk.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct SubgradientOptions {
  double eta = 1;
  Divergence divergence = Divergence::kForward;
  Penalty penalty = Penalty::kLinear;
  double level = 0;   // at most the optimum
  double enough = 0;  // stops at P ≤ level + enough
  Index steps = 10000;
  int threads = 1;
};

struct SubgradientResult {
  std::vector<double> theta;  // the best
  double objective = 0;
  Index steps = 0;
};

// c and `start` as in train_margin.
SubgradientResult projected_subgradient(const ConvexOracle& losses,
                                        const Distributions& distributions,
                                        std::span<const double> c, std::span<const double> start,
                                        const SubgradientOptions& options);

}  // namespace trellis
