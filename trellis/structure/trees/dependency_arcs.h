// The candidate arcs of a sentence's dependency trees: from a head to its modifier, both words
// 1 … n, or from the artificial root 0. Parallel arcs are the labels of one arc. What they cost is
// none of theirs: DependencyTree and ProjectiveTree have them for parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"

namespace trellis {

struct DependencyArc {
  std::uint32_t head = 0;
  std::uint32_t modifier = 0;
};

class DependencyArcs {
 public:
  // `arcs` are sorted by modifier and then by head, so that parallel ones stand side by side.
  // Throws UsageError where they are not, for an arc to the root or from a word to itself, and for
  // words above `words`.
  DependencyArcs(Index words, std::span<const DependencyArc> arcs);

  Index words() const { return begin_.size() - 1; }
  Index size() const { return head_.size(); }
  std::uint32_t head(Index p) const { return head_[p]; }
  std::uint32_t modifier(Index p) const { return modifier_[p]; }
  // Arcs of modifier m ≥ 1 are begin(m) … begin(m + 1) − 1.
  Index begin(Index m) const { return begin_[m - 1]; }
  // Parallel arcs of group g are group_begin(g) … group_begin(g + 1) − 1.
  Index num_groups() const { return group_begin_.size() - 1; }
  Index group_begin(Index g) const { return group_begin_[g]; }

  ArcGraph graph() const { return {words(), begin_, head_}; }

 private:
  std::vector<Index> begin_;  // by word, from 0, and the end
  std::vector<std::uint32_t> head_, modifier_;
  std::vector<Index> group_begin_;
};

}  // namespace trellis
