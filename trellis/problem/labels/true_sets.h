// The true outputs of models over label sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis {

// Each list of items below `num_items` as an output. Throws UsageError for a list that is not
// ascending, or has an item beyond.
std::vector<LabelSet::Output> true_sets(std::span<const std::span<const std::uint32_t>> sets,
                                        Index num_items);

}  // namespace trellis
