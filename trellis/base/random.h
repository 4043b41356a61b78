// Counter-based random numbers: a draw is a pure function of (seed, item, step), so that results
// do not depend on the number of threads, on the platform or on the standard library.
//
// The generator is Philox4x64-10 of Salmon, Moraes, Dror & Shaw (2011), "Parallel random numbers:
// as easy as 1, 2, 3": a keyed bijection of 256-bit counters. The seed is the key, and
// (block, item, step, 0) the counter, so the blocks of different streams are different points of
// one bijection and never overlap. About 5 ns a draw, 80 bytes of state.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// One block of Philox4x64-10.
std::array<std::uint64_t, 4> philox4x64(std::array<std::uint64_t, 4> counter,
                                        std::array<std::uint64_t, 2> key);

// A stream keyed by (seed, item, step): e.g. (seed, example, epoch). Streams with different keys
// are independent; the same key gives the same numbers everywhere. Cheap to construct.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t item = 0, std::uint64_t step = 0);

  std::uint64_t next();                  // 64 uniform bits
  double uniform();                      // [0, 1), 53 bits
  std::uint64_t below(std::uint64_t n);  // uniform on 0 … n−1, unbiased; n > 0
  double normal();                       // standard normal

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  unsigned used_ = 4;  // of the block
};

// A uniformly random order of 0 … n−1.
std::vector<Index> random_permutation(Index n, Random random);

}  // namespace trellis
