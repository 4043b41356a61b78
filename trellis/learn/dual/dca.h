// Dual coordinate ascent for any convex loss: Martins, Gimpel, Smith, Xing, Aguiar & Figueiredo
// (2010), "Learning Structured Classifiers with Dual Coordinate Descent", Algorithms 1 and 2. No
// learning rate.
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i L_i(w),       C = 1/(λn)
//
// kOnline is the paper. At example i the loss is replaced by its cut at w, and w moves to the
// minimum of ½‖v − w‖² + C max(0, cut(v)), which is in closed form (Eq. 15):
//
//   w ← w − η a,     η = min{ C, L_i(w)/‖a‖² },     a = the slope of the cut at w.
//
// With the hinge this is 1-best MIRA (Crammer et al. 2006), with the log-loss a passive-aggressive
// CRF. The result is the mean of the iterates w_1 … w_T, each taken before its update (Algorithm
// 1). A second visit to an example does not take back what the first one did, so this is an online
// algorithm run for several epochs; it gives good models fast, and does not go to the optimum.
//
// kStored goes there. It remembers for each example a convex combination (a_i, b_i) of its cuts,
// and keeps w = −(1/λn) Σ_i a_i. Since L_i(v) ≥ b_i + ⟨a_i, v⟩, the value
//
//   D = (1/n) Σ_i b_i − λ/2 ‖w‖²  =  min_v λ/2 ‖v‖² + (1/n) Σ_i (b_i + ⟨a_i, v⟩)
//
// is a lower bound on min P. A visit asks for the cut (a', b') at w and moves (a_i, b_i) towards it
// by the fraction that maximises D. With Δa = a' − a_i and g_i = L_i(w) − (b_i + ⟨a_i, w⟩) ≥ 0:
//
//   θ = min{ 1, λn g_i/‖Δa‖² },     w ← w − (θ/λn) Δa,     D rises by at least θ g_i/2n.
//
// P(w) − D = (1/n) Σ_i g_i, so the gap is what the visits measure, and D never falls. At the first
// visit (a_i, b_i) = (0, 0) and the step is Eq. 15: from w = 0 both modes visit the first epoch
// with the same weights. For the hinge this is block-coordinate Frank–Wolfe (Lacoste-Julien et al.
// 2013, Algorithm 4), whose expected gap is ε after O(1/ε) epochs. If ∇L_i is K-Lipschitz, g_i ≥
// ‖Δa‖²/2K (a tangent stays that far below a smooth function, and combinations of tangents
// further), hence θ ≥ min{1, λn/2K}, and for examples drawn at random each visit shrinks the dual's
// expected error by a constant factor: linear convergence. (Epochs are permutations here.) Returns
// w itself. Memory: the slopes of all examples. Honours weights that must stay ≥ 0
// (learn/dual/dual_point.h); kOnline refuses them.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

enum class DcaDual {
  kOnline,  // the paper: each visit is a new round
  kStored,  // each visit replaces what the last visit to this example left
};

struct DcaOptions {
  // λ ≥ 0. With 0 (kOnline only) C is infinite: every step makes its cut vanish.
  double lambda = 1e-4;
  Index max_epochs = 10;
  VisitOrder order = VisitOrder::kRandom;
  DcaDual dual = DcaDual::kOnline;
  // Return the mean of the iterates. kOnline only: kStored always returns the w that D belongs to.
  bool average = true;
};

// w: in, the start; out, the result. The kStored dual of a start other than 0 consists of the cuts
// there (one more pass, which no record counts), scaled to the best D; where the start is optimal
// and the losses are smooth that is the optimal dual.
// Converged when an epoch changed nothing; stalled, where cuts need not touch and none is proven
// to. Throws UsageError for options that do not fit.
LearnSummary dca(const CutOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control = {});
// Losses of approximate sums (the paper's second-order parser), kOnline alone and without a
// certificate. Where an estimate makes a loss negative no step is taken: the step of Eq. 15 is cut
// to 0 (the paper's note 17). EpochRecord::negative_losses counts them; an upper bound has none.
LearnSummary dca(const ApproximateOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control = {});

}  // namespace trellis
