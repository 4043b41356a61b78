// The largest weights of a list, for the inspection of models.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The indices of up to `top` positive (negative) numbers, largest absolute value first; ties in the
// order of the list.
std::vector<Index> strongest_positive(std::span<const double> weights, Index top);
std::vector<Index> strongest_negative(std::span<const double> weights, Index top);
// The same for both signs; zeros come last.
std::vector<Index> strongest_weights(std::span<const double> weights, Index top);

}  // namespace trellis
