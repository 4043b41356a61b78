// The learners that can train a matcher: turns graphs into the oracle that each asks for.
//
//   max-margin   bmrm, bcfw             the hinge needs the best matching alone
//   MAP          lbfgs                  exact sums: sides of at most 24 nodes
//                sgd, averaged          gradients from draws: any size
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {

// The learner that `options` mean. Throws UsageError, with the reason, for options that do not go
// together.
Learner resolve_learner(const TrainOptions& options);

// Whether these graphs can be learned from: throws UsageError for MAP where there are no sums.
void require_graphs(const TrainOptions& options, std::span<const MatchExample> examples);

// What is learned from: examples whose numbers are `chosen`, with their features as they are.
struct LearningTask {
  std::span<const MatchExample> examples;
  std::span<const Index> chosen;
  Index dimension = 0;
  double lambda = 0;
};

// Minimises from w on.
LearnSummary run_learner(const TrainOptions& options, const LearningTask& task, std::span<double> w,
                         const LearnControl& control);

// What the draws of a run say at the weights w; needs options.draws ≥ 2 for a variance.
DrawFigures draw_figures(const TrainOptions& options, const LearningTask& task,
                         std::span<const double> w);

}  // namespace trellis::match
