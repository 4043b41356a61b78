// What a matcher has learned, as text: the weights for and against a match.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

// The model and its `top` largest weights; `name` is that of its file.
std::string inspect_text(const MatchModel& model, const std::string& name, Index top);
Value inspect_record(const MatchModel& model, Index top);

}  // namespace trellis::match
