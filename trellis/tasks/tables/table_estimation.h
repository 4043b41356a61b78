// Tables by counting and by EM, for all models with tables: the record of a run, restarts as stages
// of an interruptible training, and the result as JSON.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/tables/generative_options.h"

namespace trellis::generative {

// Frequencies minimise −Σ (n + α) θ in closed form, so that objective and bound are equal.
LearnSummary counted(std::span<const double> counts, double alpha, std::span<const double> theta,
                     double seconds, const TrainEvents& events);

// One start of em.
struct EmRun {
  std::vector<double> objectives;  // of the model before each E-step; the first is the start's
  double log_likelihood = 0;
  bool converged = false;

  Index iterations() const { return objectives.size() - 1; }
};

struct EmClimb {
  std::vector<double> theta;  // of the best run
  std::vector<EmRun> runs;
  Index best = 0;
  LearnSummary summary;
};

// Called after each iteration, and for the start as iteration 0; returns false to stop.
using EmTold = std::function<bool(Index iteration, double objective)>;
// The result of one start: θ and its course. Empty: stopped.
struct EmEnd {
  std::vector<double> theta;
  EmRun run;
};
using EmStart = std::function<std::optional<EmEnd>(Index restart, const EmTold& told)>;

// Every restart is a stage. Empty: interrupted.
std::optional<EmClimb> climb(const EstimatorOptions& options, const EmStart& start, Stages& stages,
                             const TrainEvents& events);

void put_runs(std::span<const EmRun> runs, Index best, Value& record);

}  // namespace trellis::generative
