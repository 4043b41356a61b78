// The multiclass SVM of Crammer & Singer (2001) by ascent in its dual, an example at a time:
// Keerthi, Sundararajan, Chang, Hsieh & Lin (2008), "A Sequential Dual Method for Large Scale
// Multi-Class Linear SVMs". (The slides of Klein & Taskar (2005), "SMO", move the mass of two
// labels at a time; here all labels of the example that are in play move at once, to their
// optimum.)
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i L_i(w),     L_i as in oracle/label_oracle.h,     C_i = a_i/(λn)
//
// Dual variables α_i(y) ≥ 0 with Σ_y α_i(y) = C_i give w_y = Σ_i (C_i [y = y_i] − α_i(y)) x_i, and
//
//   D(α) = λ ( Σ_i Σ_y α_i(y) c_i(y) − ½ ‖w‖² )  ≤  min P.
//
// With the scores s_y = ⟨w_y, x_i⟩ + c_i(y) and A = ‖x_i‖², D increases by λ(⟨d, s⟩ − A/2 ‖d‖²) if
// α_i moves by d. The best move is a projection onto the simplex of size C_i, a piecewise linear
// equation in one unknown θ:
//
//   α_i(y) ← max{0, α_i(y) + (s_y − θ)/A},     Σ_y α_i(y) = C_i.
//
// After that, s_y = θ on the support, and s_y ≤ θ elsewhere. The distance of an example from that,
//
//   v_i = max_y s_y − min_{α_i(y) > 0} s_y,     g_i = C_i max_y s_y − Σ_y α_i(y) s_y ≤ C_i v_i,
//
// is its violation, and P(w) − D(α) = λ Σ_i g_i.
//
// Shrinking: an example with all its mass on one label that leads by a margin is left out, and from
// the other examples the labels that are far behind. A *check* verifies these choices: one
// (parallel) pass over all examples and labels, which computes P, D and all v_i and takes back
// those with v_i > ε whose violation the visits cannot see (and, if a gap is requested, those that
// add to the gap). There is a check after every epoch with LearnControl::certify, and otherwise
// after the first epoch and the last, when the visits' gaps have fallen to a quarter of those of
// the last check, and when the examples in play seem converged (by ε, or by gap_tolerance if that
// is given). Only epochs with a check report objective and gap; every epoch reports the bound.
//
// Time per epoch: O(attributes of the examples in play × their labels in play); memory: the support
// of α, and the labels in play if they are few.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/label_oracle.h"

namespace trellis {

struct SmoOptions {
  double lambda = 1e-4;  // λ > 0
  Index max_epochs = 1000;
  // Converged when a check finds v_i ≤ epsilon everywhere, in units of the scores.
  double epsilon = 0.001;
};

// Starts from w = 0 and ignores the content of w, since the dual of other weights is unknown;
// unless the oracle knows their coefficients, and these are feasible here, as those of a smaller C
// are: α_i(y) = −β_i(y) except for y = y_i, which has the rest of C_i. Converged by epsilon or by
// control.gap_tolerance (which needs no certify here); stalled if the largest violation is within
// rounding but above epsilon. Throws UsageError for incompatible options.
LearnSummary smo(const LabelOracle& oracle, const SmoOptions& options, std::span<double> w,
                 const LearnControl& control = {});

}  // namespace trellis
