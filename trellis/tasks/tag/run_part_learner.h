// The learners that move points of the marginal polytopes, for taggers (oracle/part_oracle.h).
#pragma once

#include <span>

#include "trellis/learn/frame/learner.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {

// Requires sees_parts(options.learner) and a hinge.
LearnSummary run_part_learner(const TrainOptions& options, const Loss& loss,
                              const ChainModel& model, std::span<double> w,
                              const LearnControl& control);

}  // namespace trellis::tag
