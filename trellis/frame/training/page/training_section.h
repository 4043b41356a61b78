// The course of training: curves of the objective, its bound and the dev metric, and a table of all
// epochs. All tasks share it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/learn/frame/learner.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// The state after an epoch. NaN: not computed.
struct TrainingPoint {
  static constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

  double epoch = 0;  // increasing
  double objective = kNotKnown;
  double bound = kNotKnown;
  double gap = kNotKnown;          // relative to the objective
  double dev = kNotKnown;          // percent
  double seconds = kNotKnown;      // since the start
  double loss = kNotKnown;         // mean loss, if the objective takes too long to compute
  double unconverged = kNotKnown;  // percent of sums; for iterative inference
  double missed = 0;               // the objective is an upper bound, too high by at most this
};

// The epochs of a run.
std::vector<TrainingPoint> training_points(const LearnSummary& summary);

// Adds the section, unless there is no history. `dev_metric` names the metric in
// TrainingPoint::dev; `step` names the unit of TrainingPoint::epoch.
void add_training_section(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                          Page& page, const std::string& step = "epoch");

// The key figures: best dev metric, objective, time.
std::vector<Tile> training_tiles(const std::vector<TrainingPoint>& history,
                                 const std::string& dev_metric, const std::string& step = "epoch");

}  // namespace trellis::report
