// What a parser has learned. A model stores only fingerprints of features, so only features whose
// atoms can be enumerated are listed: coarse tags, distance and direction, with their labels.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/parse/model/parse_model.h"

namespace trellis::parse {

std::string inspect_text(const ParseModel& model, const std::string& name, Index top);
Value inspect_record(const ParseModel& model, Index top);

}  // namespace trellis::parse
