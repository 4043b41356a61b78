// Dual coordinate ascent for any convex loss: Martins, Gimpel, Smith, Xing, Aguiar & Figueiredo
// (2010), "Learning Structured Classifiers with Dual Coordinate Descent", Algorithms 1 and 2. No
// learning rate.
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i L_i(w),       C = 1/(λn)
//
// kOnline is the algorithm of the paper. At example i the loss is replaced by its cut at w, and w
// moves to the minimum of ½‖v − w‖² + C max(0, cut(v)), in closed form (Eq. 15):
//
//   w ← w − η a,     η = min{ C, L_i(w)/‖a‖² },     a = the slope of the cut at w.
//
// With the hinge this is 1-best MIRA (Crammer et al. 2006), with the log-loss a passive-aggressive
// CRF. The result is the mean of the iterates w_1 … w_T, each taken before its update (Algorithm
// 1). A second visit to an example does not undo the first, so this is an online algorithm run for
// several epochs; it gives good models fast, but does not converge to the optimum.
//
// kStored does. It stores for each example a convex combination (a_i, b_i) of its cuts, and keeps w
// = −(1/λn) Σ_i a_i. Since L_i(v) ≥ b_i + ⟨a_i, v⟩, the value
//
//   D = (1/n) Σ_i b_i − λ/2 ‖w‖²  =  min_v λ/2 ‖v‖² + (1/n) Σ_i (b_i + ⟨a_i, v⟩)
//
// is a lower bound on min P. A visit requests the cut (a', b') at w and moves (a_i, b_i) towards it
// by the fraction that maximises D. With Δa = a' − a_i and g_i = L_i(w) − (b_i + ⟨a_i, w⟩) ≥ 0:
//
//   θ = min{ 1, λn g_i/‖Δa‖² },     w ← w − (θ/λn) Δa,     D increases by at least θ g_i/2n.
//
// P(w) − D = (1/n) Σ_i g_i, so the visits measure the gap, and D never decreases. At the first
// visit (a_i, b_i) = (0, 0) and the step is Eq. 15: from w = 0 both modes visit the first epoch
// with the same weights. For the hinge this is block-coordinate Frank–Wolfe (Lacoste-Julien et al.
// 2013, Algorithm 4), whose expected gap is ε after O(1/ε) epochs. If ∇L_i is K-Lipschitz, g_i ≥
// ‖Δa‖²/2K (a tangent is at least that far below a smooth function, and combinations of tangents
// further), hence θ ≥ min{1, λn/2K}, and for examples drawn at random each visit reduces the dual's
// expected error by a constant factor: linear convergence. (Epochs are permutations here.) Returns
// w itself. Memory: the slopes of all examples. Supports weights that must stay ≥ 0
// (learn/dual/dual_point.h); kOnline refuses them.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

enum class DcaDual {
  kOnline,  // the paper: each visit is a new round
  kStored,  // each visit replaces the result of the last visit to this example
};

struct DcaOptions {
  // λ ≥ 0. With 0 (kOnline only) C is infinite: every step makes its cut zero.
  double lambda = 1e-4;
  Index max_epochs = 10;
  VisitOrder order = VisitOrder::kRandom;
  DcaDual dual = DcaDual::kOnline;
  // Return the mean of the iterates. kOnline only: kStored always returns the w that D belongs to.
  bool average = true;
};

// w: the start; on return, the result. The kStored dual of a start other than 0 consists of the
// cuts there (one more pass, which no record counts), scaled to the best D; if the start is optimal
// and the losses are smooth, that is the optimal dual. Converged if an epoch changed nothing;
// stalled instead if cuts need not touch and none is proved to touch. Throws UsageError for
// incompatible options.
LearnSummary dca(const CutOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control = {});
// Losses of approximate sums (the paper's second-order parser), for kOnline only and without a
// certificate. If an estimated loss is negative, the step of Eq. 15 is clipped to 0 (the paper's
// note 17). EpochRecord::negative_losses counts these losses; upper bounds have none.
LearnSummary dca(const ApproximateOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control = {});

}  // namespace trellis
