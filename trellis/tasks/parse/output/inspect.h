// What a parser has learned. Features are known to a model by their fingerprints alone, so those
// are told whose atoms can be listed: coarse tags, distance and direction, with their labels.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/parse/model/parse_model.h"

namespace trellis::parse {

std::string inspect_text(const ParseModel& model, const std::string& name, Index top);
Value inspect_record(const ParseModel& model, Index top);

}  // namespace trellis::parse
