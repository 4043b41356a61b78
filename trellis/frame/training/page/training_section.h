// How training went: curves of the objective and its bound, of the dev figure, and all epochs as a
// table. The same for every task.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trellis/learn/frame/learner.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// The state after an epoch. NaN stands for what was not computed.
struct TrainingPoint {
  static constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

  double epoch = 0;  // increasing
  double objective = kNotKnown;
  double bound = kNotKnown;
  double gap = kNotKnown;          // relative to the objective
  double dev = kNotKnown;          // in percent
  double seconds = kNotKnown;      // since the start
  double loss = kNotKnown;         // mean loss, where the objective is too dear to know
  double unconverged = kNotKnown;  // percent of the sums, where they are iterations
  double missed = 0;               // the objective is an upper bound, and so much too high at most
};

// The epochs of a run.
std::vector<TrainingPoint> training_points(const LearnSummary& summary);

// Adds the section, unless there is no history. `dev_metric` says what TrainingPoint::dev is, and
// `step` what TrainingPoint::epoch counts.
void add_training_section(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                          Page& page, const std::string& step = "epoch");

// The key figures: best on dev, objective, time.
std::vector<Tile> training_tiles(const std::vector<TrainingPoint>& history,
                                 const std::string& dev_metric, const std::string& step = "epoch");

}  // namespace trellis::report
