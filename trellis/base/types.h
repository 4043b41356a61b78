// The words that every layer speaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace trellis {

using Index = std::size_t;   // counts and positions
using Label = std::int32_t;  // an output symbol, 0-based; kNoLabel where there is none
inline constexpr Label kNoLabel = -1;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace trellis
