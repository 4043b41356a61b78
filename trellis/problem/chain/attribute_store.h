// The attributes of all positions of all examples, stored once: each example keeps its distinct
// attributes, ascending, and its positions refer to those. So a slope F z is filled without hashing
// or sorting, run by run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/problem/chain/chain_features.h"

namespace trellis {

class AttributeStore {
 public:
  // Adds an example: the attributes of position t are ids[begin[t]] … ids[begin[t+1]−1]; `values`
  // is empty where all are 1.
  void add(std::span<const std::uint32_t> begin, std::span<const AttributeId> ids,
           std::span<const float> values);

  // How often each of `num_attributes` attributes occurs.
  std::vector<std::uint64_t> count(Index num_attributes) const;

  // Renumbers the attributes (kNoAttribute: dropped) and sets up the distinct ones of each example.
  // To be called once, after the last add() and before attributes().
  void finish(std::span<const AttributeId> new_ids, Index num_attributes);

  PositionAttributes attributes(Index i) const;  // of example i, after finish()
  // Visits (example, position within it, attribute) for all occurrences, before or after finish().
  template <class Visit>
  void for_each(const Visit& visit) const;

  Index num_examples() const { return first_position_.size() - 1; }
  Index num_positions() const { return begin_.size() - 1; }

 private:
  std::vector<Index> first_position_ = {0};  // of each example
  std::vector<std::uint64_t> begin_ = {0};   // of each position, in ids_
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;                  // empty while all are 1
  std::vector<std::uint64_t> distinct_begin_;  // of each example; empty before finish()
  std::vector<AttributeId> distinct_;
};

template <class Visit>
void AttributeStore::for_each(const Visit& visit) const {
  for (Index i = 0; i + 1 < first_position_.size(); ++i) {
    const AttributeId* distinct =
        distinct_begin_.empty() ? nullptr : distinct_.data() + distinct_begin_[i];
    for (Index p = first_position_[i]; p < first_position_[i + 1]; ++p) {
      for (Index k = begin_[p]; k < begin_[p + 1]; ++k) {
        visit(i, p - first_position_[i], distinct == nullptr ? ids_[k] : distinct[ids_[k]]);
      }
    }
  }
}

}  // namespace trellis
