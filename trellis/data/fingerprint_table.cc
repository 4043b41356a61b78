#include "trellis/data/fingerprint_table.h"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kFewestSlots = 16;

// Whether `size` fingerprints fill at most 70 % of the slots.
bool fits(Index size, Index slots) {
  return size <= slots / 10 * 7 + slots % 10 * 7 / 10;
}

Index slots_for(Index size) {
  Index slots = kFewestSlots;
  while (!fits(size, slots)) slots *= 2;
  return slots;
}

}  // namespace

std::uint64_t fingerprint(std::string_view text, std::uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

FingerprintView::FingerprintView(std::span<const std::uint64_t> keys,
                                 std::span<const std::uint32_t> ids, Index num_ids,
                                 std::string_view file) {
  if (keys.size() != ids.size()) {
    throw InputError(file, 0,
                     "expected as many ids as keys in a fingerprint table, found " +
                         std::to_string(ids.size()) + " and " + std::to_string(keys.size()));
  }
  if (keys.empty()) return;
  if (keys.size() < 2 || !std::has_single_bit(keys.size())) {
    throw InputError(file, 0,
                     "expected a power of two as the size of a fingerprint table, found " +
                         std::to_string(keys.size()));
  }
  for (Index slot = 0; slot < keys.size(); ++slot) {
    if (keys[slot] != kEmpty && ids[slot] >= num_ids) {
      throw InputError(file, 0,
                       "expected ids below " + std::to_string(num_ids) +
                           " in a fingerprint table, found " + std::to_string(ids[slot]));
    }
  }
  *this = FingerprintView(keys.data(), ids.data(), keys.size());
}

FingerprintTable::FingerprintTable() : keys_(kFewestSlots, 0), ids_(kFewestSlots, kNone) {}

FingerprintTable::Insertion FingerprintTable::insert(std::uint64_t fp) {
  if (!fits(size_ + 1, keys_.size())) rehash(2 * keys_.size());
  const std::uint64_t key = FingerprintView::key_of(fp);
  const Index mask = keys_.size() - 1;
  Index slot = view().home(key);
  for (; keys_[slot] != FingerprintView::kEmpty; slot = (slot + 1) & mask) {
    if (keys_[slot] == key) return {ids_[slot], false};
  }
  if (size_ == kNone) throw UsageError("a fingerprint table holds at most 2^32 - 2 entries");
  keys_[slot] = key;
  ids_[slot] = static_cast<std::uint32_t>(size_++);
  return {ids_[slot], true};
}

void FingerprintTable::reserve(Index size) {
  if (!fits(size, keys_.size())) rehash(slots_for(size));
}

void FingerprintTable::clear() {
  *this = FingerprintTable();
}

std::vector<std::uint64_t> FingerprintTable::fingerprints() const {
  std::vector<std::uint64_t> all(size_);
  for (Index slot = 0; slot < keys_.size(); ++slot) {
    if (keys_[slot] != FingerprintView::kEmpty) all[ids_[slot]] = keys_[slot];
  }
  return all;
}

void FingerprintTable::rehash(Index slots) {
  std::vector<std::uint64_t> keys(slots, FingerprintView::kEmpty);
  std::vector<std::uint32_t> ids(slots, kNone);
  keys_.swap(keys);
  ids_.swap(ids);
  const FingerprintView table = view();
  for (Index i = 0; i < keys.size(); ++i) {
    if (keys[i] == FingerprintView::kEmpty) continue;
    Index slot = table.home(keys[i]);
    while (keys_[slot] != FingerprintView::kEmpty) slot = (slot + 1) & (slots - 1);
    keys_[slot] = keys[i];
    ids_[slot] = ids[i];
  }
}

}  // namespace trellis
