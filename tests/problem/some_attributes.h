// The attributes of some examples, in a store of their own: what a model of these alone is made of.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "trellis/problem/chain/attribute_store.h"

namespace trellis::testing {

// `all` is finished, and has `num_attributes`.
inline AttributeStore some_attributes(const AttributeStore& all, std::span<const Index> chosen,
                                      Index num_attributes) {
  AttributeStore some;
  for (const Index i : chosen) {
    const PositionAttributes x = all.attributes(i);
    std::vector<std::uint32_t> begin;
    std::vector<AttributeId> ids;
    for (const std::uint64_t place : x.begin) {
      begin.push_back(static_cast<std::uint32_t>(place - x.begin[0]));
    }
    for (Index k = 0; k < begin.back(); ++k) ids.push_back(x.attribute(k));
    some.add(begin, ids, x.values);
  }
  std::vector<AttributeId> same(num_attributes);
  std::iota(same.begin(), same.end(), AttributeId{0});
  some.finish(same, same.size());
  return some;
}

}  // namespace trellis::testing
