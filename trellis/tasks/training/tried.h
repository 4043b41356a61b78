// A setting that was tried, and what is said of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/fit/search.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// One setting, and what came of it.
struct Tried {
  LearnerChoice setting;
  std::string variant = {};     // its name, where there are several
  double figure = kUnknown;     // on held-out data
  Index folds = 0;              // of these folds alone, where it was left behind; 0: of all
  double objective = kUnknown;  // of a run on all examples, as what follows
  double gap = kUnknown;        // relative
  double norm = kUnknown;       // ‖w‖
  Index epochs = 0;
};

// "binned:8, lambda = 0.1"
std::string describe(const Tried& tried, const std::vector<Candidates>& searched);
// With its figure, which has this name.
std::string figure_text(const Tried& tried, const std::vector<Candidates>& searched,
                        std::string_view figure_name);
// "chose …", with a remark on each dial whose value is the last of those tried.
std::string choice_text(const Tried& chosen, const std::vector<Candidates>& searched);

}  // namespace trellis
