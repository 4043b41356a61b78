// Successive halving (Jamieson and Talwalkar 2016): of those in a race, who goes on.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Of the numbers in `racing` the half with the better standings, rounded up, in ascending order;
// higher is better, of equal ones the first, and a NaN is behind all.
std::vector<Index> better_half(std::span<const Index> racing, std::span<const double> standings);

}  // namespace trellis
