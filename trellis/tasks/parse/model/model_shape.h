// What a parser scores, and over which trees.
#pragma once

#include "trellis/base/types.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/map_search.h"
#include "trellis/structure/arc_pair_graph.h"
#include "trellis/tasks/parse/filter/arc_filter.h"

namespace trellis::parse {

// How hard a second-order parser looks for the best tree: what is better by 1e-7 of Σ |s| does not
// matter, and where the relaxation is not tight a few splits decide or the best found has to do.
inline constexpr MapOptions kTreeSearch{1e-7, 16, 200};
// Learning takes points of the relaxation, as good as its weights are.
inline constexpr Ad3Options kTreeRelaxation{100, 1e-4, 1e-7};

struct ModelShape {
  TreeShape trees;
  Index order = 1;  // 2: pairs of arcs as well

  Crossing crossing() const { return trees.projective ? Crossing::kForbidden : Crossing::kAllowed; }
  // All kinds of pairs.
  ArcPairGraph pairs_of(const DependencyArcs& arcs) const {
    return ArcPairGraph(arcs, trees.roots, crossing(), {});
  }
};

}  // namespace trellis::parse
