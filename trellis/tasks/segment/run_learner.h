// The learners that can train a segmenter: turns a network model into the oracle that each asks
// for. All of them keep the weights of the edges ≥ 0.
#pragma once

#include <functional>
#include <span>

#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/train.h"

namespace trellis::segment {

// Throws UsageError, with the reason, for options that do not go with the learner.
void require_cell(const TrainOptions& options);

// Minimises from w on. `held_out` judges weights, higher is better; may be empty.
LearnSummary run_learner(const TrainOptions& options, const NetworkModel& model,
                         std::span<double> w, const LearnControl& control,
                         const std::function<double(std::span<const double>)>& held_out);

}  // namespace trellis::segment
