// Settings to choose from: any numeric dial may have a list of values instead of one, or `auto`.
//
//   --c 0.1,1,10 --k 5,10     two dials, six settings
//   --c auto                  the task's grid
//
// Settings that differ in how strongly weights are held alone (C, λ or the radius) form a path,
// from strong to weak, along which each run may start where the one before it ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/fit/choose.h"
#include "trellis/fit/learner_options.h"

namespace trellis {

struct Candidates {
  std::string dial;
  std::vector<double> values;  // empty: automatic
  // Resolved from `auto`, and about how strongly weights are held: a walk may end before the last
  // value, or go on behind it.
  bool open = false;
};

// "0.1,1,10" or "auto"; throws UsageError. One value alone is no choice: it is set in `said`. So is
// the first of several, for choose() to see: what does not fit together is refused before any data.
void read_dial(std::string_view name, std::string_view text, LearnerOptions& said,
               std::vector<Candidates>& candidates);

// The candidates with values for those that are automatic, each without repetitions and sorted from
// strong to weak. Throws UsageError for a dial that the learner does not have or that has no grid.
std::vector<Candidates> resolve(const std::vector<Candidates>& candidates,
                                const LearnerChoice& choice, const TaskDefaults& defaults);

// One setting for each combination of values, grouped by path.
using Path = std::vector<LearnerChoice>;
std::vector<Path> paths_of(const LearnerChoice& choice, const std::vector<Candidates>& resolved);

// "c and k"
std::string describe_dials(const std::vector<Candidates>& candidates);
// "c = 0.1, k = 5"
std::string describe_setting(const LearnerChoice& choice, const std::vector<Candidates>& resolved);

}  // namespace trellis
