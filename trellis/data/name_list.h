// Lists of names (labels, columns, words), stored as one string of bytes and the offsets of the
// ends. In a model file they are two sections, offsets and bytes, which are used in place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Name i is bytes[offsets[i], offsets[i+1]). The arrays must outlive the view.
class NameView {
 public:
  NameView() = default;  // no names
  // Over arrays of a model file: offsets begin with 0, never decrease and end with bytes.size();
  // the names are UTF-8. Throws InputError(file, …) otherwise.
  NameView(std::span<const std::uint64_t> offsets, std::span<const char> bytes,
           std::string_view file);

  Index size() const { return offsets_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::string_view operator[](Index id) const {
    return {bytes_ + offsets_[id], static_cast<Index>(offsets_[id + 1] - offsets_[id])};
  }
  // The arrays that a model file stores.
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const char> bytes() const { return {bytes_, static_cast<Index>(offsets_.back())}; }

 private:
  friend class NameList;
  static constexpr std::uint64_t kNoOffsets[1] = {0};

  std::span<const std::uint64_t> offsets_ = kNoOffsets;
  const char* bytes_ = nullptr;
};

// A list that grows, without duplicates: name ↔ id 0 … n−1 in the order of insertion. Threads may
// call the const functions at the same time.
class NameList {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  NameList();
  // A copy with lookup by name. Throws InputError(file, …) if a name occurs twice.
  NameList(const NameView& names, std::string_view file);

  // The id of the name; a new name is added. Names are UTF-8 and may be empty; throws UsageError
  // otherwise, or beyond 2^32 − 2 names.
  std::uint32_t add(std::string_view name);
  std::uint32_t find(std::string_view name) const;  // kNone: not in the list
  // The same for a known print = fingerprint(name); prefetch() loads the memory that the others
  // will read.
  std::uint32_t add(std::string_view name, std::uint64_t print);
  std::uint32_t find(std::string_view name, std::uint64_t print) const;
  [[gnu::always_inline]] void prefetch(std::uint64_t print) const {
    __builtin_prefetch(slots_.data() + (print & (slots_.size() - 1)));
  }

  Index size() const { return offsets_.size() - 1; }
  bool empty() const { return size() == 0; }
  // The view is valid until the next add().
  std::string_view operator[](Index id) const { return view()[id]; }

  NameView view() const;
  // The arrays that a model file stores and NameView reads.
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const char> bytes() const { return bytes_; }

 private:
  // The tag rejects most other names without a comparison of their bytes.
  struct Slot {
    std::uint32_t id = kNone;
    std::uint32_t tag = 0;  // the upper half of the name's fingerprint
  };
  Index find_slot(std::string_view name, std::uint64_t print) const;
  void grow();

  std::vector<std::uint64_t> offsets_;
  std::vector<char> bytes_;
  std::vector<Slot> slots_;  // open addressing, a power of two of them
};

}  // namespace trellis
