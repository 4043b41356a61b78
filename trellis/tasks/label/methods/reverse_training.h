// Reverse learning (Petterson 2011, ch. 3, Algorithm 1): the structured hinge of a macro measure,
// with the exact constraint generator. The objective
//
//   λ/2 ‖θ‖² + (1/N) Σ_v L_v(θ_v)  =  (1/N) Σ_v [ ½ λN ‖θ_v‖² + L_v(θ_v) ]
//
// falls apart into one problem for each of the N labels, λN = 1/C in each, so labels are trained by
// themselves, in parallel; the means of their objectives, bounds and gaps are those of the whole.
// With TrainOptions::joint the whole is one run, as in the thesis: the same optimum, by cuts that
// all labels share.
#pragma once

#include "trellis/tasks/label/methods/fit.h"

namespace trellis::label {

Fit fit_reverse(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control);

}  // namespace trellis::label
