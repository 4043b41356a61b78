// Figures as a table to read.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace trellis::label {

// The means, the losses, and a row for each label; with more than `max_labels` of them those that
// occur most in the truth, in the order of the model, and how many are not shown.
std::string to_text(const LabelScores& scores, Index max_labels);

}  // namespace trellis::label
