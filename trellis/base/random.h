// Counter-based random numbers: a draw is a pure function of (seed, item, step), so that results
// do not depend on the number of threads, on the platform or on the standard library.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// A stream keyed by (seed, item, step): e.g. (seed, example, epoch). Streams with different keys
// are independent; the same key gives the same numbers everywhere. Cheap to construct.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t item = 0, std::uint64_t step = 0);

  std::uint64_t next();              // 64 uniform bits
  double uniform();                  // [0, 1), 53 bits
  std::uint64_t below(std::uint64_t n);  // uniform on 0 … n−1, unbiased; n > 0
  double normal();                   // standard normal

 private:
  std::uint64_t key_[2];
  std::uint64_t counter_ = 0;
};

// A uniformly random order of 0 … n−1.
std::vector<Index> random_permutation(Index n, Random random);

}  // namespace trellis
