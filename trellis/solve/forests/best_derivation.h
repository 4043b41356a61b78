// The best derivation of a forest's goal (packed_forest.h), from the bottom up:
//
//   value(v) = max over its edges of (s[edge] + (value(left) + value(right))) + s[v] .
//
// O(N + E) time and O(N) memory; the choices are found again on the way down, only along the
// derivation. Ties go to the first edge, from the goal down. Sums are rounded in the order of this
// formula: rounding is monotone, so to the bit no derivation scores more in that order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/forests/packed_forest.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class BestDerivation {
 public:
  // Writes the edges in preorder, left tails first, and returns their score. −∞ and no edges where
  // the goal has no derivation.
  double find(const PackedForest& forest, std::span<const double> s,
              std::vector<std::uint32_t>& edges);

  // The values of all nodes; returns that of the goal. What follows is after this, for the same
  // forest and scores, which must be there still.
  double fill(const PackedForest& forest, std::span<const double> s);
  // −∞ where the node has no derivation, 0 for kNoNode.
  double value(std::uint32_t node) const { return values_[node + std::uint32_t{1}]; }
  // The best value of a node by way of one of its edges.
  double value_by(Index edge, Index node) const;
  // The first edge that makes the node's value. Requires that it is not −∞.
  std::uint32_t first_best_edge(Index node) const;

 private:
  const PackedForest* forest_ = nullptr;
  const double* node_scores_ = nullptr;
  const double* edge_scores_ = nullptr;
  std::vector<double> values_;  // by slots
  std::vector<std::uint32_t> open_;
};

}  // namespace trellis
