// A setting that was tried, and what is said of it.
#pragma once

#include <span>
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

// "the best c is the largest evaluated: --c 10,100,1000 continues the search": for each searched
// dial of which the chosen value is the smallest or the largest of those evaluated with the chosen
// variant, and of which further values exist. Nothing where only two values of a dial were
// evaluated: one of two is always an end.
std::vector<std::string> edge_advice(const Tried& chosen, std::span<const Tried> tried,
                                     const std::vector<Candidates>& searched);
// "chose …", with the advice in brackets.
std::string choice_text(const Tried& chosen, std::span<const Tried> tried,
                        const std::vector<Candidates>& searched);

}  // namespace trellis
