// What the tests of the saddle-point learners share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/learn/run_result.h"
#include "trellis/base/random.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/saddle_point/extragradient_gap.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis::testing {

// P(w), computed apart from the learner.
inline double objective_at(const PartOracle& oracle, double lambda, std::span<const double> w) {
  PartPass pass(oracle, 1);
  const double losses = margin_losses(oracle, w, pass, {}).value();
  return losses / static_cast<double>(oracle.num_examples()) +
         lambda / 2 * oracle.inner_product(w, w);
}

// Random points of W near `w` and far from it.
inline std::vector<std::vector<double>> points_of(const PartOracle& oracle,
                                                  const WeightBallOptions& options,
                                                  std::span<const double> w) {
  const WeightSet set(oracle, options);
  std::vector<std::vector<double>> points;
  for (std::uint64_t k = 0; k < 40; ++k) {
    Random random(77, k);
    const double spread = std::pow(10.0, -3 + 0.1 * static_cast<double>(k));
    std::vector<double> point(w.begin(), w.end());
    for (double& weight : point) weight += spread * random.normal();
    set.project(point);
    points.push_back(std::move(point));
  }
  return points;
}

// One learner with its options, on one problem.
using SaddleLearner = std::function<LearnSummary(std::span<double> w, const LearnControl&)>;

inline RunResult run_saddle(const SaddleLearner& learner, Index dimension, LearnControl control) {
  RunResult run;
  run.w.resize(dimension, 0.0);
  control.certify = true;
  run.summary = learner(run.w, control);
  return run;
}

// Stops the run from its observer after `epochs`, resumes it, and so on to the end.
inline RunResult run_interrupted(const SaddleLearner& learner, Index dimension, Index epochs) {
  RunResult run;
  run.w.resize(dimension, 0.0);
  Checkpoint checkpoint;
  do {
    std::stop_source source;
    Index seen = 0;
    LearnControl control;
    control.certify = true;
    control.checkpoint = &checkpoint;
    control.stop = source.get_token();
    control.observer = [&](EpochRecord&, std::span<const double>) {
      if (++seen == epochs) source.request_stop();
      return true;
    };
    run.summary = learner(run.w, control);
    // What was written over must not matter.
    if (!checkpoint.empty()) std::fill(run.w.begin(), run.w.end(), 0.5);
  } while (run.summary.termination == Termination::kInterrupted);
  return run;
}

// The slope of log gap against log t over the records t in [from, to].
inline double decay_rate(const LearnSummary& summary, Index from, Index to) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (Index t = from; t <= to; ++t) {
    const double u = std::log(static_cast<double>(t));
    const double v = std::log(summary.history[t - 1].objective - summary.history[t - 1].bound);
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace trellis::testing
