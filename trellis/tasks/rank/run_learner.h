// The learners that can train a ranker: turns the lists of documents into the oracle that each asks
// for.
#pragma once

#include <span>

#include "trellis/learn/frame/learner.h"
#include "trellis/problem/ranking_model.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::rank {

// Throws UsageError, with the reason, for options that do not go together.
void require_cell(const TrainOptions& options);

Learner resolve_learner(const TrainOptions& options);
double resolve_gamma(const TrainOptions& options);
double resolve_gap(const TrainOptions& options);

// Minimises from w on.
LearnSummary run_learner(const TrainOptions& options, double lambda, const RankingModel& model,
                         std::span<double> w, const LearnControl& control);

}  // namespace trellis::rank
