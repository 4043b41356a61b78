// The scores of linear models: weights have a row of numbers, one for each label, for each feature.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// scores ← Σ_a value · row a, over the features that occur or over all of them; `weights` has a row
// of scores.size() weights for each feature. The rows are added in their order, so that the bits
// are those of training, and the same whether zeros are stored or not.
void add_up_scores(std::span<const std::uint32_t> ids, std::span<const float> values,
                   std::span<const double> weights, std::span<double> scores);
void add_up_scores(std::span<const float> values, std::span<const double> weights,
                   std::span<double> scores);

}  // namespace trellis
