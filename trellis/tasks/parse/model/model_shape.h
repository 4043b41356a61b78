// The parts that a parser scores, and its set of trees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/tasks/parse/filter/arc_filter.h"

namespace trellis::parse {

struct ModelShape {
  TreeShape trees;
  Index order = 1;  // 2: pairs of arcs as well

  Crossing crossing() const { return trees.projective ? Crossing::kForbidden : Crossing::kAllowed; }
  // All kinds of pairs.
  ArcPairGraph pairs_of(const DependencyArcs& arcs) const {
    return ArcPairGraph(arcs, trees.roots, crossing(), {});
  }
  // The pairs in a tree, given as the head of word m at [m − 1].
  std::vector<ArcPair> pairs_of_tree(std::span<const std::uint32_t> heads) const;
};

}  // namespace trellis::parse
