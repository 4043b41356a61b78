// A compact buffer of numbers, appended one after another and read back once: seven bits per byte,
// the lowest first, with the high bit set if more bytes follow. Frequent words have small numbers,
// since words are numbered as they occur, so a token takes about 1.6 bytes instead of its final
// four. Blocks are mapped, and returned to the system while they are read, so that both forms are
// never in memory together.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "trellis/base/huge_pages.h"
#include "trellis/base/types.h"

namespace trellis::topics {

class TokenBuffer {
 public:
  Index size() const { return size_; }

  void push(std::uint32_t number) {
    if (free_ < kLongest) open_block();
    std::uint8_t* const begin = end_;
    for (; number >= 0x80; number >>= 7) *end_++ = static_cast<std::uint8_t>(number | 0x80);
    *end_++ = static_cast<std::uint8_t>(number);
    free_ -= static_cast<Index>(end_ - begin);
    ++blocks_.back().count;
    ++size_;
  }

  // Calls put(number) for each number in order; afterwards the buffer is empty.
  template <class Put>
  void drain(const Put& put) {
    for (Block& block : blocks_) {
      const std::uint8_t* at = block.pages->as<std::uint8_t>();
      for (Index i = 0; i < block.count; ++i) {
        std::uint32_t number = *at & 0x7F;
        for (int shift = 7; (*at++ & 0x80) != 0; shift += 7) {
          number |= static_cast<std::uint32_t>(*at & 0x7F) << shift;
        }
        put(number);
      }
      block.pages.reset();
    }
    *this = TokenBuffer();
  }

 private:
  static constexpr Index kBlockSize = Index{1} << 21;
  static constexpr Index kLongest = 5;  // bytes for 32 bits

  struct Block {
    std::unique_ptr<HugePages> pages;
    Index count = 0;
  };

  void open_block() {
    blocks_.push_back({std::make_unique<HugePages>(kBlockSize), 0});
    end_ = blocks_.back().pages->as<std::uint8_t>();
    free_ = kBlockSize;
  }

  std::vector<Block> blocks_;
  std::uint8_t* end_ = nullptr;  // of what is written in the last block
  Index free_ = 0;               // bytes behind it
  Index size_ = 0;
};

}  // namespace trellis::topics
