// A candidate setting and its results.
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

// One candidate setting and its results.
struct Tried {
  LearnerChoice setting;
  std::string variant = {};     // name of the variant, if there are several
  double figure = kUnknown;     // metric on held-out data
  Index folds = 0;              // evaluated on these folds only, if eliminated; 0: all
  double objective = kUnknown;  // of a run on all examples, like the next two
  double gap = kUnknown;        // relative
  double norm = kUnknown;       // ‖w‖
  Index epochs = 0;
};

// "binned:8, lambda = 0.1"
std::string describe(const Tried& tried, const std::vector<Candidates>& searched);
// The same with its metric.
std::string figure_text(const Tried& tried, const std::vector<Candidates>& searched,
                        std::string_view figure_name);

// "the best c is the largest evaluated: --c 10,100,1000 continues the search": for each searched
// hyperparameter whose chosen value is the smallest or largest evaluated with the chosen variant,
// if further values exist. Empty if only two values were evaluated: one of two is always an end.
std::vector<std::string> edge_advice(const Tried& chosen, std::span<const Tried> tried,
                                     const std::vector<Candidates>& searched);
// "chose …", with the advice in brackets.
std::string choice_text(const Tried& chosen, std::span<const Tried> tried,
                        const std::vector<Candidates>& searched);

}  // namespace trellis
