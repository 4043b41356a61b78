#include "trellis/solve/forests/packed_forest.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis {

void PackedForest::clear() {
  begin_.assign(1, 0);
  slots_.clear();
  stages_.assign(1, 0);
}

void PackedForest::reserve(Index nodes, Index edges) {
  begin_.reserve(nodes + 1);
  slots_.reserve(edges);
}

void PackedForest::begin_stage() {
  stages_.push_back(static_cast<std::uint32_t>(num_nodes() - 1));
}

PackedForest PackedForest::from_arrays(std::span<const std::uint32_t> begin,
                                       std::span<const Tails> tails) {
  const auto falls = [&] { return !std::is_sorted(begin.begin(), begin.end()); };
  if (begin.empty() || begin.front() != 0 || begin.back() != tails.size() || falls()) {
    throw UsageError(
        fmt::format("a forest's edges must begin at 0, not decrease, and end at their number, {}",
                    tails.size()));
  }
  PackedForest forest;
  forest.begin_.assign(begin.begin(), begin.end());
  for (const Tails& pair : tails) forest.slots_.push_back({pair.left + 1, pair.right + 1});
  forest.validate();
  for (Index node = 0; node < forest.num_nodes(); ++node) {
    for (Index edge = forest.begin(node); edge < forest.end(node); ++edge) {
      const Slots& at = forest.slots_[edge];
      if (std::max(at.left, at.right) <= forest.stages_.back()) continue;
      forest.stages_.push_back(static_cast<std::uint32_t>(node));
    }
  }
  return forest;
}

void PackedForest::validate() const {
  if (num_parts() >= kNoNode) {
    throw UsageError(fmt::format("a forest of {} nodes and edges is too large", num_parts()));
  }
  for (Index node = 0; node < num_nodes(); ++node) {
    for (Index edge = begin(node); edge < end(node); ++edge) {
      const auto [left, right] = slots_[edge];
      if (left > node || right > node) {
        throw UsageError(fmt::format(
            "edge {} of a forest enters node {}, whose tails must come before it, from node {}",
            edge, node, std::max(left, right) - 1));
      }
      if (right != 0 && (left == 0 || left == right)) {
        throw UsageError(fmt::format(
            "edge {} of a forest must have two different tails, or a left one, or none", edge));
      }
    }
  }
}

Index PackedForest::head(Index edge) const {
  const auto after = std::upper_bound(begin_.begin(), begin_.end(), edge);
  return static_cast<Index>(after - begin_.begin()) - 1;
}

}  // namespace trellis
