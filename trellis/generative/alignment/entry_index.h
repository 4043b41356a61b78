// The index of the entry of two words: a hash table for each source word, all in one array, with
// linear probing, at most half full. Usually one memory access; 16 to 32 bytes per entry.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis {

class EntryIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  EntryIndex() = default;
  // For rows by source word (occurrences.h); fewer than 2^32 − 1 entries.
  EntryIndex(std::span<const Index> row_begin, std::span<const WordId> targets);

  // kNone: there is no such entry, or a word is unknown.
  std::uint32_t find(WordId e, WordId f) const {
    if (Index{e} + 1 >= begin_.size()) return kNone;
    const Index begin = begin_[e], mask = begin_[e + 1] - begin - 1;
    for (Index slot = hash(f) & mask;; slot = (slot + 1) & mask) {
      const Slot& found = slots_[begin + slot];
      if (found.entry == kNone || found.word == f) return found.entry;
    }
  }

 private:
  struct Slot {
    WordId word = 0;
    std::uint32_t entry = kNone;
  };
  static Index hash(WordId f) { return (f * 0x9E3779B1u) >> 7; }

  std::vector<Index> begin_;  // of each word's slots, a power of two of them
  std::vector<Slot> slots_;
};

}  // namespace trellis
