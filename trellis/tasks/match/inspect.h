// What a matcher has learned, for those who look into it: what speaks for a match, and what against
// it.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

// The model and its `top` strongest weights; `name` is the file's.
std::string inspect_text(const MatchModel& model, const std::string& name, Index top);
Value inspect_record(const MatchModel& model, Index top);

}  // namespace trellis::match
