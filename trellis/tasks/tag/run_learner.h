// The table learner × loss for taggers: turns a chain model into the oracle that a learner asks
// for.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/learn/frame/learner.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {

// Throws UsageError, with the reason, where the learner cannot minimise the loss.
void require_cell(const TrainOptions& options, const Loss& loss);

struct LearnerRun {
  LearnSummary summary;
  std::vector<Voter> voters;  // voted perceptron only
  double eta = 0;             // sgd: the learning rate of the run
};

// Minimises from w on. `held_out` judges weights, higher is better; may be empty.
LearnerRun run_learner(const TrainOptions& options, const Loss& loss, const ChainModel& model,
                       bool partially_labelled, std::span<double> w, const LearnControl& control,
                       const std::function<double(std::span<const double>)>& held_out);

}  // namespace trellis::tag
