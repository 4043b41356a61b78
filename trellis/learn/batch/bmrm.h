// The bundle method for regularised risks: Teo, Vishwanathan, Smola & Le (2010), "Bundle Methods
// for Regularized Risk Minimization", Algorithm 2; Petterson 2011, Algorithms 1 and 4, appendix A.
// For any losses with cuts, smooth or not:
//
//   min_{w ∈ W}  P(w) = λ/2 ‖w‖² + R(w),     R(w) = (1/n) Σ_i L_i(w)
//
// W = {w : w_j ≥ 0 for j ∈ N}, where the oracle says so. An iteration is one parallel pass: the
// risk at a point q gives a cut R(v) ≥ o + ⟨a, v⟩, with a its slope and the offset o = R(q) − ⟨a,
// q⟩ of the risk alone. The minimum of λ/2 ‖w‖² under all cuts so far is a lower bound on min P,
// and never falls (learn/batch/bundle.h solves it exactly); its minimizer w_t is where the plain
// method goes next.
//
// w_t jumps about while there are few cuts. So the best point so far, w_b, is kept and returned,
// and the next q lies between the two, q = w_b + s (w_t − w_b), after Franc & Sonnenburg's (2008)
// OCAS, whose search along that segment an oracle of passes cannot afford. If P(q) is not far above
// the model at q, then P fell by nearly s times the gap; else the new cut lies that far above the
// model: both close a share of the gap, so a gap ε is reached after O(1/ε) passes, as with s = 1,
// and O(log 1/ε) where R is smooth. s doubles (up to 1) after a pass that improves w_b, and halves
// (down to 0.1) after one that does not.
//
// Cuts need not touch (CutOracle). The method then is that of P by the cuts found, which it takes
// for P; but P(q) is bounded from above as well, and the point with the lowest such bound is what
// is reported and returned, so that the gap remains a proof. It closes as far as what was missed.
//
// A cut leaves the bundle when it had no mass in more than 30 iterations in a row. At most 300
// stay, of one weight vector each: when there are more, one without mass leaves, or the two with
// the least mass become one. That costs iterations, and never the bound.
//
// Memory: the slopes of the cuts, 301 vectors at most, and a few more. Time beside the pass: two
// products with all of them; where weights are held ≥ 0, those of bundle.h.
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
  // Evaluate between the best weights and the model's; else at the model's, as Algorithm 2 does.
  bool line_search = true;
};

// w: in, the start (clipped to W); out, the best weights found. One epoch of the history is one
// iteration: objective of the best weights, bound and gap come with it, whether or not
// control.certify is set. Stalled when neither has moved in ten iterations, or where the objective
// is no finite number.
LearnSummary bmrm(const CutOracle& oracle, const BmrmOptions& options, std::span<double> w,
                  const LearnControl& control = {});

}  // namespace trellis
