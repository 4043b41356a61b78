// Binary relevance: a classifier for each label, which knows nothing of the others, nor of the
// measure. Logistic regression, or the support vector machine (for one yes or no, dual coordinate
// ascent is Hsieh et al. 2008), each by the learner that was chosen, labels in parallel:
//
//   ½ ‖θ_v‖² + C Σ_i loss(θ_v·x_i, y_iv),     λ = 1/(C n) over n instances
#pragma once

#include "trellis/tasks/label/methods/fit.h"

namespace trellis::label {

Fit fit_binary_relevance(const FitData& data, const FitSetting& setting, const FitControl& control);

}  // namespace trellis::label
