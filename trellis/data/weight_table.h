// Weights by the fingerprints of their features, as in the model files of parsers: slots of eight
// bytes, so that the weight of a feature takes one access to memory. A slot has 32 bits of the
// fingerprint, whose first 32 bits are scaled to its place (Lemire 2019): linear probing over any
// number of slots, half of them full. About one in 10⁹ unseen features is mistaken for another one.
//
// Half of the features in a parser's lookups are unknown, and to find that out takes as long as to
// find a weight. So a Bloom filter (1970) is read first, small enough for a cache: three bits in
// one word for each feature, about eight bits in all. It is built from the slots' checks when a
// table is opened.
//
// A slot's value is a weight, a float, or any other 32 bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/huge_pages.h"
#include "trellis/base/types.h"

namespace trellis {

struct WeightSlot {
  std::uint32_t check = 0;  // 0: the slot is empty
  std::uint32_t value = 0;
};

class WeightView {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  WeightView() = default;  // knows nothing
  // Copies the slots, of which some must be empty. Throws InputError(file, …) otherwise.
  WeightView(std::span<const WeightSlot> slots, std::string_view file);

  // False: it is not known. True: it is, or one time in ten it is not.
  bool may_know(std::uint64_t fingerprint) const {
    const BloomBits bits = bloom_bits(check_of(fingerprint), bloom_shift_);
    return (bloom_[bits.word] & bits.mask) == bits.mask;
  }
  // kNone where it is not known.
  std::uint32_t find(std::uint64_t fingerprint) const {
    const std::uint32_t check = check_of(fingerprint);
    for (const WeightSlot* slot = slots_ + home(fingerprint, num_slots_);;) {
      if (slot->check == check) return slot->value;
      if (slot->check == 0) return kNone;
      if (++slot == slots_ + num_slots_) slot = slots_;
    }
  }
  // The value as a weight; 0 where it is not known.
  double weight(std::uint64_t fingerprint) const {
    const std::uint32_t value = find(fingerprint);
    return value == kNone ? 0 : static_cast<double>(std::bit_cast<float>(value));
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t fingerprint) const {
    __builtin_prefetch(slots_ + home(fingerprint, num_slots_));
  }

 private:
  friend class WeightTable;
  static std::uint32_t check_of(std::uint64_t fingerprint) {
    const auto low = static_cast<std::uint32_t>(fingerprint);
    return low != 0 ? low : 1;
  }
  static Index home(std::uint64_t fingerprint, Index num_slots) {
    return static_cast<Index>((fingerprint >> 32) * num_slots >> 32);
  }

  struct BloomBits {
    Index word;
    std::uint64_t mask;
  };
  static BloomBits bloom_bits(std::uint32_t check, int shift) {
    // 32 by 32 bits: half of the time of 64 by 64 on some machines.
    const std::uint64_t mixed = std::uint64_t{check} * 0x9E3779B9u;
    const auto bit = [&](int from) { return std::uint64_t{1} << (mixed >> from & 63); };
    return {static_cast<Index>(mixed >> shift), bit(14) | bit(20) | bit(26)};
  }
  void make_bloom();

  static constexpr WeightSlot kNoSlots[2] = {};
  static constexpr std::uint64_t kNoBloom[2] = {};
  std::shared_ptr<HugePages> slot_memory_, bloom_memory_;  // copies of the view share them
  const WeightSlot* slots_ = kNoSlots;
  Index num_slots_ = 2;  // below 2³²
  const std::uint64_t* bloom_ = kNoBloom;
  int bloom_shift_ = 63;
};

class WeightTable {
 public:
  explicit WeightTable(Index num_features);
  // Each fingerprint once. kNone is no value.
  void insert(std::uint64_t fingerprint, std::uint32_t value);
  std::span<const WeightSlot> slots() const { return slots_; }

 private:
  std::vector<WeightSlot> slots_;
};

// Throws InputError(file, …) unless every slot's value is a finite float.
void require_finite_weights(std::span<const WeightSlot> slots, std::string_view file);

}  // namespace trellis
