// Attributes as numbers: the text of an attribute, known by its fingerprint, gets an id when it is
// first seen; or, with feature hashing, the low bits of the fingerprint are its id and no text is
// kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/tasks/tag/templates/attributes.h"

namespace trellis::tag {

static_assert(FingerprintTable::kNone == kNoAttribute);

class AttributeIndex {
 public:
  static constexpr int kMaxHashBits = 30;

  // hash_bits 0: every attribute has an id of its own.
  explicit AttributeIndex(int hash_bits = 0) : hash_bits_(hash_bits) {}

  int hash_bits() const { return hash_bits_; }
  // How many ids there are: those given, or 2^hash_bits.
  Index size() const { return hash_bits_ > 0 ? Index{1} << hash_bits_ : table_.size(); }

  // The id of a fingerprint, or kNoAttribute.
  AttributeId find(std::uint64_t fingerprint) const {
    return hash_bits_ > 0 ? hashed(fingerprint) : table_.find(fingerprint);
  }
  // The id of a fingerprint, given now if it is new; then name() is called for its text.
  template <class Name>
  AttributeId intern(std::uint64_t fingerprint, const Name& name) {
    if (hash_bits_ > 0) return hashed(fingerprint);
    const auto [id, inserted] = table_.insert(fingerprint);
    if (inserted) {
      names_ += name();
      name_ends_.push_back(names_.size());
    }
    return id;
  }

  // In the order of the ids; empty with feature hashing, where there are no names either.
  std::vector<std::uint64_t> fingerprints() const { return table_.fingerprints(); }
  std::string_view name(AttributeId id) const {
    const Index begin = id == 0 ? 0 : name_ends_[id - 1];
    return std::string_view(names_).substr(begin, name_ends_[id] - begin);
  }

 private:
  AttributeId hashed(std::uint64_t fingerprint) const {
    return static_cast<AttributeId>(fingerprint & ((std::uint64_t{1} << hash_bits_) - 1));
  }

  int hash_bits_;
  FingerprintTable table_;
  std::string names_;
  std::vector<Index> name_ends_;
};

}  // namespace trellis::tag
