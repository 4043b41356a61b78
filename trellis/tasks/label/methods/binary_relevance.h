// Binary relevance: a classifier for each label, which knows nothing of the others, nor of the
// measure. Logistic regression by L-BFGS, or the support vector machine by dual coordinate ascent
// (for one yes or no, that is Hsieh et al. 2008), each to the certified gap, labels in parallel:
//
//   ½ ‖θ_v‖² + C Σ_i loss(θ_v·x_i, y_iv),     λ = 1/(C n) over n instances
#pragma once

#include <span>

#include "trellis/tasks/label/methods/binary_model.h"
#include "trellis/tasks/label/methods/fit.h"

namespace trellis::label {

Fit fit_binary_relevance(const TrainOptions& options, const FitData& data,
                         const FitSetting& setting, const FitControl& control);

// One label: theta, of the model's dimension, becomes the optimum.
LearnSummary fit_logistic(const TrainOptions& options, const BinaryModel& model, double c,
                          std::span<double> theta, const LearnControl& control);

}  // namespace trellis::label
