// What goes together in TrainOptions, what stands for what was not said, and how options and
// results are told.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trellis/tasks/label/train.h"

namespace trellis::label {

Thresholds resolve_thresholds(const TrainOptions& options);

// Whether nothing was said of what holds the weights, so that C has to be chosen.
bool silent_about_c(const TrainOptions& options, const LearnerChoice& choice);
// The dials to choose the values of: those that were said, and C where asked.
std::vector<Candidates> candidates_of(const TrainOptions& options, const LearnerChoice& choice,
                                      bool and_c);

// All of the options that the bits of a model depend on, but for those of the learner.
std::string describe(const TrainOptions& options);

// How the model was made, for its file: nothing that differs between two runs of one call.
nlohmann::json provenance(const TrainResult& result);

}  // namespace trellis::label
