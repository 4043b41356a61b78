// One learner's run as a stage of a training: watched on held-out data, saved from time to time,
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
  Index best_epoch = 0;          // with a metric: the epoch whose weights were kept
  std::vector<double> end = {};  // the last weights, where others were kept
  bool weightless = false;       // a finished run whose weights were dropped from its stage
};

// Minimises from call.w on; where there is a metric, call.w becomes the best weights that it saw
// (of a batch learner by the mean over five iterations: early_stopping.h), and the run ends when
// the choice's patience does. `fit` calls a learner. False: interrupted.
using FitFunction = std::function<Fitted(const FitCall& call)>;
using Metric = std::function<double(std::span<const double> w)>;  // higher is better; may be empty
using OnEpoch = std::function<void(const EpochRecord& record)>;   // may be empty
bool run_watched(Stages& stages, const std::string& stage, const FitFunction& fit, FitCall call,
                 const Metric& metric, const OnEpoch& on_epoch, Watched& watched);

}  // namespace trellis
