// Small multi-label data for tests, dense or sparse, in both directions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/data/feature_rows.h"

namespace trellis::testing {

using ItemLists = std::vector<std::vector<std::uint32_t>>;

inline std::vector<std::span<const std::uint32_t>> views(const ItemLists& lists) {
  return {lists.begin(), lists.end()};
}

// The last feature is a bias.
inline FeatureRows random_rows(Index num_rows, Index width, bool dense, Random& random) {
  std::vector<float> values;
  std::vector<std::uint32_t> begin = {0}, ids;
  for (Index r = 0; r < num_rows; ++r) {
    for (Index k = 0; k < width; ++k) {
      const bool bias = k + 1 == width;
      const float value = bias ? 1.0F : static_cast<float>(random.normal());
      if (!dense && !bias && random.below(2) == 0) continue;
      ids.push_back(static_cast<std::uint32_t>(k));
      values.push_back(value);
    }
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  if (dense) return FeatureRows::dense(width, std::move(values));
  return FeatureRows::sparse(width, std::move(begin), std::move(ids), std::move(values));
}

// Subsets of 0 … num_items − 1: the first is empty, the second has all.
inline ItemLists random_lists(Index count, Index num_items, Random& random) {
  ItemLists lists(count);
  for (Index n = 1; n < count; ++n) {
    const double share = n == 1 ? 1 : random.uniform();
    for (std::uint32_t v = 0; v < num_items; ++v) {
      if (random.uniform() < share) lists[n].push_back(v);
    }
  }
  return lists;
}

}  // namespace trellis::testing
