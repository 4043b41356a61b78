// Attributes as numbers. The text of an attribute has a fingerprint, which gets an id on its first
// occurrence; with feature hashing, the low bits of the fingerprint are the id, and no text is
// kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

static_assert(FingerprintTable::kNone == kNoAttribute);

class AttributeIndex {
 public:
  static constexpr int kMaxHashBits = 30;

  // hash_bits 0: every attribute has its own id.
  explicit AttributeIndex(int hash_bits = 0) : hash_bits_(hash_bits) {}

  int hash_bits() const { return hash_bits_; }
  // The number of ids: those assigned, or 2^hash_bits.
  Index size() const { return hash_bits_ > 0 ? Index{1} << hash_bits_ : table_.size(); }

  // The id of a fingerprint, or kNoAttribute.
  AttributeId find(std::uint64_t fingerprint) const {
    return hash_bits_ > 0 ? hashed(fingerprint) : table_.find(fingerprint);
  }
  // The id of a fingerprint; a new one gets an id, and name() is called for its text.
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

  // In the order of the ids; empty with feature hashing, which has no names either.
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

// The known attributes of a sequence, as numbers: the input of a chain.
struct KnownAttributes {
  std::vector<std::uint64_t> begin;
  std::vector<AttributeId> ids;
  std::vector<std::uint32_t> sources;  // index of each among its position's attributes
  std::vector<float> values;           // empty: all 1

  void clear() { begin.assign(1, 0), ids.clear(), sources.clear(), values.clear(); }
  // find(fingerprint) returns an attribute, or kNoAttribute for one to leave out.
  template <class Find>
  void resolve(const AttributeList& list, const Find& find) {
    clear();
    for (Index t = 0; t + 1 < list.begin.size(); ++t) {
      for (std::uint32_t k = list.begin[t]; k < list.begin[t + 1]; ++k) {
        const AttributeId id = find(list.fingerprints[k]);
        if (id == kNoAttribute) continue;
        ids.push_back(id);
        sources.push_back(k - list.begin[t]);
        if (!list.values.empty()) values.push_back(list.values[k]);
      }
      begin.push_back(ids.size());
    }
  }
  PositionAttributes view() const { return {begin, ids, {}, values}; }
};

}  // namespace trellis::tag
