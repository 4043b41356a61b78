// Forward learning (Petterson 2011, ch. 4): the structured hinge of an example measure, over the
// sets of labels of all instances,
//
//   λ/2 ‖θ‖² + (1/n) Σ_i L_i(θ),     λ = 1/(C n)
//
// With couplings A_vw ≥ 0 between frequent pairs of labels, under that constraint; the loss of an
// instance is then NP-hard to evaluate, and what its generator missed is bounded from above at the
// end: `gap` in the summary counts that bound in, whatever the learner believed, so it remains a
// certificate.
#pragma once

#include "trellis/tasks/label/methods/fit.h"

namespace trellis::label {

Fit fit_forward(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control);

}  // namespace trellis::label
