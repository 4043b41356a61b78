// The best dependency tree: of parallel arcs the best is taken, and of those the tree
// (dense_arborescence.h). O(A + n²) time for A arcs and n words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/dense_arborescence.h"

namespace trellis {

// Σ_m s of the arcs, rounded once (solve/vectors/exact_sum.h).
double tree_score(std::span<const double> scores, std::span<const std::uint32_t> arcs);

// Reuses its memory in repeated calls; use one object per thread.
class MaximumArborescence {
 public:
  // Writes the arc of word m to arcs[m − 1] and returns true, or false where there is no tree; then
  // `arcs` are undefined. Of parallel arcs that are equally good it takes the first.
  bool solve(const ArcGraph& graph, std::span<const double> scores, Roots roots,
             std::span<std::uint32_t> arcs);

 private:
  DenseArborescence dense_;
  std::vector<double> best_;        // n rows of n + 1
  std::vector<std::uint32_t> arc_;  // where best_ is from
  std::vector<std::uint32_t> heads_;
};

}  // namespace trellis
