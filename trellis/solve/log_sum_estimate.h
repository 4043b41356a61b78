// An estimate of log Z = log Σ_y exp(s·z(y)) from random attempts, in which y is accepted with
// probability exp(s·z(y)) / U: the share of accepted attempts is about Z/U.
#pragma once

#include <cstdint>

namespace trellis {

struct LogSumEstimate {
  double value = 0;
  // By the delta method, with one more rejection than observed, so that it is not 0 if all were
  // accepted. ∞ if none was accepted, 0 if the value is exact.
  double standard_error = 0;
  std::uint64_t attempts = 0;
  std::uint64_t accepted = 0;
};

}  // namespace trellis
