// What goes together in TrainOptions, what stands for what was not said, and how options and
// results are told.
#pragma once

#include <nlohmann/json.hpp>

#include "trellis/tasks/label/train.h"

namespace trellis::label {

// Throws UsageError, which says what does not fit and what would, before any work is done.
void require_cell(const TrainOptions& options);

Thresholds resolve_thresholds(const TrainOptions& options);

// True if the weights come from one run of one learner, which can be interrupted and resumed.
bool runs_alone(const TrainOptions& options);

// Method, measure, C and so on, for the model file: nothing that differs between two runs of one
// call.
void put_options(const TrainOptions& options, const TrainResult& result, nlohmann::json& training);

}  // namespace trellis::label
