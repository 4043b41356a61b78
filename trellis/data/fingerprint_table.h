// Numbers things by their 64-bit fingerprints: the dictionary of a model with millions of
// attributes, without their text.
//
// Two different attributes have the same fingerprint with probability 2^−64, so among n attributes
// some pair has with n²/2^65 (3·10^−6 for ten million).
//
// The table is open addressing with linear probing over a power of two of slots, at most 70 % full
// (Knuth, TAOCP 3, sec. 6.4, algorithm L): 12 bytes per slot, in two arrays that a model file
// stores unchanged, so that a mapped file needs no construction before lookups.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// XXH3, 64 bits, with the given seed: fixed for all time and the same on every platform, as model
// files contain its values.
std::uint64_t fingerprint(std::string_view text, std::uint64_t seed = 0);

// The fingerprint of a pair; the order matters. One-to-one in each argument for a fixed other one.
constexpr std::uint64_t combine(std::uint64_t first, std::uint64_t second) {
  std::uint64_t h = std::rotl(first * 0x9E3779B97F4A7C15u, 32) + second * 0xD1B54A32D192ED03u;
  // The finalizer of SplitMix64 (Steele, Lea & Flood 2014, variant 13 of Stafford).
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

// Read-only lookup in the two arrays of a table. A slot is empty if its key is 0. Cheap to copy;
// the arrays must outlive it. Lookups are thread-safe and end after a pass over the table at worst,
// whatever the arrays hold.
class FingerprintView {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  FingerprintView() = default;  // empty
  // Of arrays out of a model file: equally long, a power of two of slots (or none), and every id
  // below num_ids. Throws InputError(file, …) otherwise.
  FingerprintView(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> ids,
                  Index num_ids, std::string_view file);

  // The id of the fingerprint, or kNone.
  std::uint32_t find(std::uint64_t fp) const {
    const std::uint64_t key = key_of(fp);
    Index slot = home(key);
    for (Index probes = 0; probes <= mask_; ++probes, slot = (slot + 1) & mask_) {
      if (keys_[slot] == key) return ids_[slot];
      if (keys_[slot] == kEmpty) break;
    }
    return kNone;
  }

  // Starts to load the slots that find(fp) will look at. Some ten lookups ahead hide the memory.
  // Inlined by force: gcc 12 drops calls of a function that only prefetches.
  [[gnu::always_inline]] void prefetch(std::uint64_t fp) const {
    const Index slot = home(key_of(fp));
    __builtin_prefetch(keys_ + slot);
    __builtin_prefetch(ids_ + slot);
  }

 private:
  friend class FingerprintTable;
  static constexpr std::uint64_t kEmpty = 0;

  FingerprintView(const std::uint64_t* keys, const std::uint32_t* ids, Index slots)
      : keys_(keys), ids_(ids), mask_(slots - 1), shift_(64 - std::countr_zero(slots)) {}

  // Zero marks an empty slot; the fingerprint 0 goes by another name.
  static std::uint64_t key_of(std::uint64_t fp) { return fp != kEmpty ? fp : 0x9E3779B97F4A7C15u; }
  // Fibonacci hashing (TAOCP 3, sec. 6.4): keys that differ little still spread.
  Index home(std::uint64_t key) const {
    return static_cast<Index>((key * 0x9E3779B97F4A7C15u) >> shift_);
  }

  // An empty view looks into a table of two empty slots.
  static constexpr std::uint64_t kNoKeys[2] = {kEmpty, kEmpty};
  static constexpr std::uint32_t kNoIds[2] = {kNone, kNone};

  const std::uint64_t* keys_ = kNoKeys;
  const std::uint32_t* ids_ = kNoIds;
  Index mask_ = 1;  // slots − 1
  int shift_ = 63;  // 64 − log2(slots); at least two slots, so it is a legal shift
};

// Fingerprint → dense id 0 … n−1 in the order of insertion. Lookups (const) are thread-safe among
// one another.
class FingerprintTable {
 public:
  static constexpr std::uint32_t kNone = FingerprintView::kNone;
  struct Insertion {
    std::uint32_t id;
    bool inserted;  // false: it was there already
  };

  FingerprintTable();

  // Amortised constant time. Throws UsageError beyond 2^32 − 2 fingerprints.
  Insertion insert(std::uint64_t fp);
  std::uint32_t find(std::uint64_t fp) const { return view().find(fp); }
  [[gnu::always_inline]] void prefetch(std::uint64_t fp) const { view().prefetch(fp); }

  Index size() const { return size_; }
  void reserve(Index size);                         // no growth up to this size
  void clear();                                     // gives the memory back
  std::vector<std::uint64_t> fingerprints() const;  // in the order of ids

  FingerprintView view() const { return {keys_.data(), ids_.data(), keys_.size()}; }
  // The flat form: what a model file stores and FingerprintView reads.
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const std::uint32_t> ids() const { return ids_; }

 private:
  void rehash(Index slots);

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> ids_;
  Index size_ = 0;
};

}  // namespace trellis
