// One run of a learner as a stage of a training: evaluated on held-out data, saved at intervals,
// and resumed to the same bits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/run.h"
#include "trellis/frame/training/stages.h"

namespace trellis {

struct Watched {
  Fitted fitted;
  Index best_epoch = 0;          // with a metric: the epoch of the weights kept
  std::vector<double> end = {};  // the last weights, if others were kept
  bool weightless = false;       // a finished run whose stage no longer has the weights
};

// Minimises from call.w. With a metric, call.w becomes the best weights evaluated (for a batch
// learner, the mean over five iterations decides: early_stopping.h), and the run ends when the
// patience of the choice is used up. `fit` calls a learner. Returns false if interrupted.
using FitFunction = std::function<Fitted(const FitCall& call)>;
using Metric = std::function<double(std::span<const double> w)>;  // higher is better; may be empty
using OnEpoch = std::function<void(const EpochRecord& record)>;   // may be empty
bool run_watched(Stages& stages, const std::string& stage, const FitFunction& fit, FitCall call,
                 const Metric& metric, const OnEpoch& on_epoch, Watched& watched);

}  // namespace trellis
