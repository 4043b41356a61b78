// Tables by counting and by EM, as far as it is the same for all that have tables: what a run tells
// of itself, restarts as stages of a training that may be interrupted, and the result as JSON.
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
#include "trellis/tasks/generative/generative_options.h"

namespace trellis::generative {

// Frequencies are the minimum of −Σ (n + α) θ in closed form: nothing is left between objective and
// bound.
LearnSummary counted(std::span<const double> counts, double alpha, std::span<const double> theta,
                     double seconds, const TrainEvents& events);

// One start of em.
struct EmRun {
  std::vector<double> objectives;  // of the model that each E-step saw; the first is the start's
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

// To be told of each iteration, and of the start as iteration 0; false: stop.
using EmTold = std::function<bool(Index iteration, double objective)>;
// One start: θ and how it went. Nothing: it was stopped.
struct EmEnd {
  std::vector<double> theta;
  EmRun run;
};
using EmStart = std::function<std::optional<EmEnd>(Index restart, const EmTold& told)>;

// Every restart is a stage. Nothing: interrupted.
std::optional<EmClimb> climb(const EstimatorOptions& options, const EmStart& start, Stages& stages,
                             const TrainEvents& events);

void put_runs(std::span<const EmRun> runs, Index best, Value& record);

}  // namespace trellis::generative
