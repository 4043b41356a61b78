// What random attempts say about log Z = log Σ_y exp(s·z(y)), where y is accepted with probability
// exp(s·z(y)) / U: the share of accepted attempts is about Z/U.
#pragma once

#include <cstdint>

namespace trellis {

struct LogSumEstimate {
  double value = 0;
  // By the delta method, with one rejection more than was seen: all accepted is not all there is.
  // ∞ where nothing was accepted, 0 where the value is exact.
  double standard_error = 0;
  std::uint64_t attempts = 0;
  std::uint64_t accepted = 0;
};

}  // namespace trellis
