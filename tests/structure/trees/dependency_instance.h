// Sentences with candidate arcs, and all their dependency trees by brute force.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/trees/dependency_arcs.h"

namespace trellis::conformance {

// Each arc is there with probability `density` (1: all), as 1 … most_labels parallel ones.
inline DependencyArcs draw_arcs(Index words, double density, Index most_labels, Random& random) {
  std::vector<DependencyArc> arcs;
  for (std::uint32_t m = 1; m <= words; ++m) {
    for (std::uint32_t h = 0; h <= words; ++h) {
      if (h == m || random.uniform() >= density) continue;
      const Index labels = 1 + random.below(most_labels);
      for (Index l = 0; l < labels; ++l) arcs.push_back({h, m});
    }
  }
  return DependencyArcs(words, arcs);
}

// Whether following heads leads to the root from every word, and from one word at once if so asked.
inline bool is_tree(const DependencyArcs& arcs, Roots roots, const std::vector<std::uint32_t>& y) {
  Index at_root = 0;
  for (Index m = 1; m <= arcs.words(); ++m) {
    Index at = m, steps = 0;
    while (at != 0 && steps++ <= arcs.words()) at = arcs.head(y[at - 1]);
    if (at != 0) return false;
    if (arcs.head(y[m - 1]) == 0) ++at_root;
  }
  return roots == Roots::kAny || at_root <= 1;
}

// All ways to give each word one of its arcs that are trees.
inline std::vector<std::vector<std::uint32_t>> all_trees(const DependencyArcs& arcs, Roots roots) {
  const Index n = arcs.words();
  std::vector<std::vector<std::uint32_t>> trees;
  std::vector<std::uint32_t> y(n);
  for (Index m = 1; m <= n; ++m) {
    if (arcs.begin(m) == arcs.begin(m + 1)) return trees;
    y[m - 1] = static_cast<std::uint32_t>(arcs.begin(m));
  }
  for (;;) {
    if (is_tree(arcs, roots, y)) trees.push_back(y);
    Index m = 1;
    for (; m <= n; ++m) {
      if (++y[m - 1] < arcs.begin(m + 1)) break;
      y[m - 1] = static_cast<std::uint32_t>(arcs.begin(m));
    }
    if (m > n) return trees;
  }
}

}  // namespace trellis::conformance
