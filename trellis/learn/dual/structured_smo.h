// Sequential minimal optimization over the marginals of a structure: Taskar, Guestrin & Koller
// (2003), "Max-Margin Markov Networks", sec. 6; the slides of Klein & Taskar (2005), "Structured
// SMO".
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i max_{z ∈ Z_i} (F_iᵀw + c_i)ᵀ(z − z(y_i))
//
// The dual variables of the flat SVM, one for each of exponentially many outputs, enter its dual
// through their marginals μ_i ∈ Z_i alone:
//
//   w = −(1/λn) Σ_i F_i (μ_i − z(y_i)),     D(μ) = (1/n) Σ_i c_iᵀ(μ_i − z(y_i)) − λ/2 ‖w‖² ≤ min P.
//
// SMO moves the mass t of one output y̌ to another, ŷ. In terms of the marginals, that is a step
// along d = z(ŷ) − z(y̌), and y̌ may be any output that could have mass: one without a part for
// which μ_i is 0. With s = F_iᵀw + c_i the visit takes the pair that violates most,
// and steps to the maximum of D along d, or until a part runs out of mass:
//
//   t = min{ λn s·d/‖F_i d‖²,  min_{p: d_p < 0} μ_ip/(−d_p) }.
//
// If Z_i = {z ≥ 0 : A z = b}, the smallest face of Z_i around μ_i is {z ∈ Z_i : z_p = 0 where μ_ip
// = 0}. Its vertices are the candidates for y̌, and μ_i is a mixture of these, so s·z(y̌) ≤ s·μ_i:
// a move exists if and only if the example's gap g_i = max s·z − s·μ_i is positive. (This fails if
// z counts parts, as in chains with tied tables, or if constraints other than z ≥ 0 can be tight,
// as in cuts and partial matchings: such oracles are refused.)
//
// The argmin over the face is a maximisation of −s with a penalty M on every part without mass. If
// M exceeds the range max s·z − min s·z over all outputs, no output with such a part can beat one
// without. M is twice the range, which leaves a margin for rounding.
//
// P(w) − D(μ) = (1/n) Σ_i g_i. A visit makes at most 10 moves, and ends when g_i has fallen to a
// tenth. Time of a move: at most three maximisations, and one more at the end of a visit; memory:
// the marginals.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

struct StructuredSmoOptions {
  double lambda = 1e-4;  // λ > 0
  Index max_epochs = 100;
  VisitOrder order = VisitOrder::kRandom;
};

// Starts from μ_i = z(y_i), hence w = 0, and ignores the content of w. Every epoch reports the
// bound; with certify it also reports objective and gap, which costs one more pass. Converged if an
// epoch made no move (because of rounding, this can happen before the gap is 0), or by
// gap_tolerance. Throws UsageError for oracles with other faces, with weights that must stay ≥ 0,
// or with kernels; and for incompatible options.
LearnSummary structured_smo(const PartOracle& oracle, const StructuredSmoOptions& options,
                            std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
