// The scores of linear models: each feature has a row of weights, one for each label.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// scores ← Σ_a value · row a, over the features that occur or over all features; `weights` has a
// row of scores.size() weights for each feature. Rows are added in order, so that the bits equal
// those of training, whether zeros are stored or not.
void add_up_scores(std::span<const std::uint32_t> ids, std::span<const float> values,
                   std::span<const double> weights, std::span<double> scores);
void add_up_scores(std::span<const float> values, std::span<const double> weights,
                   std::span<double> scores);

}  // namespace trellis
