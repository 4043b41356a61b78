// The random numbers of a cell, 32 bits each: the blocks of Philox that Random(seed, item, step) is
// made of, each of which serves eight draws. Inline, for the samplers' inner loops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "trellis/base/random.h"

namespace trellis::topics {

struct CellStream {
  std::uint64_t seed, item, step;
};

class CellRandom {
 public:
  explicit CellRandom(const CellStream& stream) : stream_(stream) {}

  std::uint32_t next() {
    if (used_ == bits_.size()) refill();
    return bits_[used_++];
  }
  double uniform() { return static_cast<double>(next()) * 0x1p-32; }  // [0, 1)
  std::uint32_t below(std::uint32_t n) {  // n > 0; a bias of n / 2^32 at most
    return static_cast<std::uint32_t>(std::uint64_t{next()} * n >> 32);
  }

 private:
  void refill() {
    const auto block = philox4x64({blocks_++, stream_.item, stream_.step, 0}, {stream_.seed, 0});
    for (std::size_t i = 0; i < block.size(); ++i) {
      bits_[2 * i] = static_cast<std::uint32_t>(block[i]);
      bits_[2 * i + 1] = static_cast<std::uint32_t>(block[i] >> 32);
    }
    used_ = 0;
  }

  CellStream stream_;
  std::uint64_t blocks_ = 0;
  std::array<std::uint32_t, 8> bits_{};
  unsigned used_ = 8;
};

}  // namespace trellis::topics
