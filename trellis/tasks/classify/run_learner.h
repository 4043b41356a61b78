// The table learner × loss for classifiers: turns a part model of one label each into the oracle
// that a learner asks for.
#pragma once

#include <functional>
#include <span>

#include "trellis/learn/frame/learner.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::classify {

// Throws UsageError, with the reason, where the learner cannot minimise the loss.
void require_cell(const TrainOptions& options, Learner learner, const Loss& loss);

// The relative gap at which a run ends: what was asked for, or the learner's default.
double resolve_gap(const TrainOptions& options, Learner learner, const Loss& loss);

struct LearnerRun {
  LearnSummary summary;
  double eta = 0;  // sgd: the learning rate of the run
};

// Minimises from w on. `held_out` judges weights, higher is better; may be empty. Not for naive
// Bayes, which minimises nothing step by step.
LearnerRun run_learner(const TrainOptions& options, Learner learner, const Loss& loss,
                       double lambda, const MulticlassModel& model, std::span<double> w,
                       const LearnControl& control,
                       const std::function<double(std::span<const double>)>& held_out);

}  // namespace trellis::classify
