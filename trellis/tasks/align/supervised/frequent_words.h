// The most frequent words of one side of a text.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

// At most `most` words, the most frequent first; ties go to the earlier word. Requires a model with
// statistics.
std::vector<std::string> frequent_words(const AlignModel& model, Index most, bool source);

}  // namespace trellis::align
