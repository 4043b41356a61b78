// How often each true value was predicted as each value: the table of `hmm` (states) and `bayes`
// (values of a variable), as JSON, as text and for a page. The counts stand by true value and
// predicted value; a last row counts true values that the model does not have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/pictures/charts/heat_map.h"

namespace trellis::generative {

// A list of rows; the last row only if there are unseen values.
Value confusion_record(std::span<const Index> counts, Index num_values, bool unseen);
// A line for each value: how often it is true, predicted, and both, and its commonest mistake.
// `what` heads the column of values.
std::string confusion_text(std::span<const Index> counts, std::span<const std::string> values,
                           std::string_view what);
report::ConfusionMatrix confusion_matrix(std::span<const Index> counts,
                                         const std::vector<std::string>& values, bool unseen);

}  // namespace trellis::generative
