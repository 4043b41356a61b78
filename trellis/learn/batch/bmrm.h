// The bundle method for regularised risks: Teo, Vishwanathan, Smola & Le (2010), "Bundle Methods
// for Regularized Risk Minimization", Algorithm 2; Petterson 2011, Algorithms 1 and 4, appendix A.
// For any losses with cuts, smooth or not:
//
//   min_{w ∈ W}  P(w) = λ/2 ‖w‖² + R(w),     R(w) = (1/n) Σ_i L_i(w)
//
// W = {w : w_j ≥ 0 for j ∈ N}, if the oracle restricts weights. An iteration is one parallel pass:
// the risk at a point q gives a cut R(v) ≥ o + ⟨a, v⟩ with slope a and offset o = R(q) − ⟨a, q⟩ (of
// the risk alone). The minimum of λ/2 ‖w‖² under all cuts so far is a lower bound on min P and
// never decreases (learn/batch/bundle.h solves it exactly); its minimiser w_t is the next point of
// the plain method.
//
// w_t moves far while there are few cuts. So the best point so far, w_b, is kept and returned, and
// the next q lies between the two, q = w_b + s (w_t − w_b), after OCAS (Franc & Sonnenburg 2008),
// whose line search would cost too many passes here. If P(q) is not far above the model at q, P has
// decreased by nearly s times the gap; otherwise the new cut is that far above the model: both
// close a share of the gap, so a gap ε is reached after O(1/ε) passes, as with s = 1, and O(log
// 1/ε) if R is smooth. s doubles (up to 1) after a pass that improves w_b, and halves (down to 0.1)
// after one that does not.
//
// Cuts need not touch (CutOracle). Then the method minimises P as the found cuts give it; but each
// P(q) also has an upper bound. The point with the lowest upper bound is reported and returned, so
// that the gap is still a proof; it closes up to what the search has missed.
//
// A cut leaves the bundle after more than 30 iterations in a row without mass. At most 300 cuts
// stay, each of one weight vector: beyond that, one without mass leaves, or the two with the least
// mass become one. That costs iterations but never loosens the bound.
//
// Memory: the slopes of the cuts, at most 301 vectors, and a few more. Time in addition to the
// pass: two products with all slopes; if weights must stay ≥ 0, that of bundle.h.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct BmrmOptions {
  // λ > 0.
  double lambda = 1e-4;
  Index max_iterations = 1000;
  // Evaluate between the best weights and the model's; otherwise at the model's, as in Algorithm 2.
  bool line_search = true;
};

// w: the start (clipped to W); on return, the best weights found. One epoch of the history is one
// iteration, with objective of the best weights, bound and gap, even without control.certify.
// Stalled if neither objective nor bound has changed in ten iterations, or if the objective is not
// finite.
LearnSummary bmrm(const CutOracle& oracle, const BmrmOptions& options, std::span<double> w,
                  const LearnControl& control = {});

}  // namespace trellis
