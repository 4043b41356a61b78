// What a tagger has learned, for a reader: its strongest weights and transitions.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

// With `top` features of each label, and as many transitions.
std::string inspect_text(const TagModel& model, Index top);
std::string inspect_json(const TagModel& model, Index top);  // one object

}  // namespace trellis::tag
