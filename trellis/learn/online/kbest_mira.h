// k-best MIRA (McDonald, Crammer & Pereira 2005), in the form of Martins et al. 2010, Eq. 17:
// instead of the one cut of DCA's step, the cuts of the k most violating outputs constrain the step
// together,
//
//   w ← argmin_v  ½‖v − w‖² + C ξ    subject to  cut_j(v) ≤ ξ  for j = 1 … k,   ξ ≥ 0
//
// with C = 1/(λn). Its dual has k variables α ≥ 0 with Σ α ≤ C, w ← w − Σ_j α_j slope_j, and is
// solved by Hildreth's algorithm (solve/polytopes/hildreth.h). k = 1 is DCA with the hinge loss.
// Cost per visit in addition to the k-best search: k²/2 products of sparse slopes, and row actions
// of k numbers each. Weights that must stay ≥ 0 are clipped after each step
// (learn/frame/nonnegative.h).
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct KBestMiraOptions {
  // λ ≥ 0; with 0 there is no limit on Σ α.
  double lambda = 1e-4;
  // The number of cuts in a step.
  Index k = 5;
  Index max_epochs = 10;
  VisitOrder order = VisitOrder::kRandom;
  // Return the mean of the iterates, as in DCA; otherwise the last one.
  bool average = true;
};

// w: the start; on return, the result. Converged when an epoch changed nothing.
LearnSummary kbest_mira(const KBestOracle& oracle, const KBestMiraOptions& options,
                        std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
