// Successive halving (Jamieson and Talwalkar 2016): which candidates continue.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The half of the candidates `racing` with the higher standings, rounded up, in ascending order.
// Ties go to the first; NaN ranks last.
std::vector<Index> better_half(std::span<const Index> racing, std::span<const double> standings);

}  // namespace trellis
