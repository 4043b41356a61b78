#include "trellis/problem/chain/attribute_store.h"

#include <algorithm>
#include <cassert>

namespace trellis {

void AttributeStore::add(std::span<const std::uint32_t> begin, std::span<const AttributeId> ids,
                         std::span<const float> values) {
  assert(distinct_begin_.empty() && !begin.empty());
  if (!values.empty() && values_.empty()) values_.assign(ids_.size(), 1.0F);
  const std::uint64_t base = ids_.size();
  for (Index t = 1; t < begin.size(); ++t) begin_.push_back(base + begin[t]);
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  if (!values.empty()) {
    values_.insert(values_.end(), values.begin(), values.end());
  } else if (!values_.empty()) {
    values_.resize(ids_.size(), 1.0F);
  }
  first_position_.push_back(begin_.size() - 1);
}

std::vector<std::uint64_t> AttributeStore::count(Index num_attributes) const {
  std::vector<std::uint64_t> counts(num_attributes, 0);
  for_each([&](Index, Index, AttributeId a) { ++counts[a]; });
  return counts;
}

void AttributeStore::finish(std::span<const AttributeId> new_ids, Index num_attributes) {
  assert(distinct_begin_.empty());
  std::vector<std::uint32_t> rank(num_attributes,
                                  0);  // of an attribute among the example's distinct
  distinct_begin_.push_back(0);
  Index read = 0;
  Index kept = 0;
  for (Index i = 0; i < num_examples(); ++i) {
    const Index first_kept = kept;
    for (Index p = first_position_[i]; p < first_position_[i + 1]; ++p) {
      for (const Index last = begin_[p + 1]; read < last; ++read) {
        const AttributeId a = new_ids[ids_[read]];
        if (a == kNoAttribute) continue;
        ids_[kept] = a;
        if (!values_.empty()) values_[kept] = values_[read];
        ++kept;
      }
      begin_[p + 1] = kept;
    }
    const Index first_distinct = distinct_.size();
    distinct_.insert(distinct_.end(), ids_.begin() + static_cast<std::ptrdiff_t>(first_kept),
                     ids_.begin() + static_cast<std::ptrdiff_t>(kept));
    const auto first = distinct_.begin() + static_cast<std::ptrdiff_t>(first_distinct);
    std::sort(first, distinct_.end());
    distinct_.erase(std::unique(first, distinct_.end()), distinct_.end());
    for (Index d = first_distinct; d < distinct_.size(); ++d) {
      rank[distinct_[d]] = static_cast<std::uint32_t>(d - first_distinct);
    }
    for (Index k = first_kept; k < kept; ++k) ids_[k] = rank[ids_[k]];
    distinct_begin_.push_back(distinct_.size());
  }
  ids_.resize(kept);
  if (!values_.empty()) values_.resize(kept);
  ids_.shrink_to_fit();
  distinct_.shrink_to_fit();
}

PositionAttributes AttributeStore::attributes(Index i) const {
  const Index first = first_position_[i];
  const Index length = first_position_[i + 1] - first;
  const Index begin = begin_[first];
  const Index count = begin_[first + length] - begin;
  PositionAttributes x;
  x.begin = std::span(begin_).subspan(first, length + 1);
  x.ids = std::span(ids_).subspan(begin, count);
  x.distinct =
      std::span(distinct_).subspan(distinct_begin_[i], distinct_begin_[i + 1] - distinct_begin_[i]);
  if (!values_.empty()) x.values = std::span(values_).subspan(begin, count);
  return x;
}

}  // namespace trellis
