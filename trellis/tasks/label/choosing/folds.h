// The folds of cross-validation over label sets: iterative stratification (Sechidis, Tsoumakas &
// Vlahavas 2011). Label by label, the rarest among those that are left first, each of its instances
// goes to the fold that still wants most of that label; of those the one that wants most instances;
// then at random, keyed by (seed, instance). So a label with k or more instances is in every fold,
// and folds differ in size by little. Instances without labels fill them up.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"

namespace trellis::label {

// The instances of each fold, ascending. Throws UsageError unless 2 ≤ num_folds ≤ instances.
std::vector<std::vector<Index>> stratified_folds(const LabelSets& labels, Index num_labels,
                                                 Index num_folds, std::uint64_t seed);

}  // namespace trellis::label
