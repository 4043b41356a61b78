// What a matcher has learned, for those who look into it: what speaks for a match, and what against
// it.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

// The numbers of the strongest weights, in absolute value.
std::vector<Index> strongest_weights(const MatchModel& model, Index top);

// The model and its `top` strongest weights; `name` is the file's.
std::string inspect_text(const MatchModel& model, const std::string& name, Index top);
std::string inspect_json(const MatchModel& model, Index top);

}  // namespace trellis::match
