// Checks TrainOptions, completes them with defaults, and reports options and results.
#pragma once

#include <string>

#include "trellis/data/value.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// Whether binary classifiers are fitted by Newton's method, several labels at once
// (learn/batch/newton.h): if no learner, no loss and no option that it lacks is given.
bool by_newton(const TrainOptions& options);

Thresholds resolve_thresholds(const TrainOptions& options);

// All options that determine the bits of a model, except those of the learner.
std::string describe(const TrainOptions& options);

// How the model was made, for its file: the same for two runs of one call.
Value provenance(const TrainResult& result);

}  // namespace trellis::label
