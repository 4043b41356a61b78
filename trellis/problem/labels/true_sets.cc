#include "trellis/problem/labels/true_sets.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis {

std::vector<LabelSet::Output> true_sets(std::span<const std::span<const std::uint32_t>> sets,
                                        Index num_items) {
  std::vector<LabelSet::Output> outputs;
  outputs.reserve(sets.size());
  for (const std::span<const std::uint32_t> items : sets) {
    LabelSet::Output& y = outputs.emplace_back(num_items, 0);
    Index next = 0;
    for (const std::uint32_t item : items) {
      if (item < next || item >= num_items) {
        throw UsageError(fmt::format("true set {} must be ascending and below {}: found {}",
                                     outputs.size() - 1, num_items, item));
      }
      y[item] = 1;
      next = Index{item} + 1;
    }
  }
  return outputs;
}

}  // namespace trellis
