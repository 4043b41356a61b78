// The words of a side that its text has most often.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

// No more than `most`, the most frequent first; of equally frequent ones the one that came first.
// The model has statistics.
std::vector<std::string> frequent_words(const AlignModel& model, Index most, bool source);

}  // namespace trellis::align
