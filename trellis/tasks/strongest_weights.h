// Which weights of a list matter most, for those who look into a model.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The places of up to `top` positive (negative) numbers, the largest in absolute value first;
// equals in the order of the list.
std::vector<Index> strongest_positive(std::span<const double> weights, Index top);
std::vector<Index> strongest_negative(std::span<const double> weights, Index top);
// Of either sign, and 0 last.
std::vector<Index> strongest_weights(std::span<const double> weights, Index top);

}  // namespace trellis
