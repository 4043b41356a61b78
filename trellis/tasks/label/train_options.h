// What goes together in TrainOptions, what stands for what was not said, and how options and
// results are told.
#pragma once

#include <string>

#include "trellis/data/value.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// Whether binary classifiers are fitted by Newton's method, several labels at once
// (learn/batch/newton.h): where neither learner nor loss is named, nor a dial that it does not have.
bool by_newton(const TrainOptions& options);

Thresholds resolve_thresholds(const TrainOptions& options);

// All of the options that the bits of a model depend on, but for those of the learner.
std::string describe(const TrainOptions& options);

// How the model was made, for its file: nothing that differs between two runs of one call.
Value provenance(const TrainResult& result);

}  // namespace trellis::label
