#include "trellis/tasks/parse/model/model_shape.h"

namespace trellis::parse {

// The only candidates are the tree's own arcs.
std::vector<ArcPair> ModelShape::pairs_of_tree(std::span<const std::uint32_t> heads) const {
  std::vector<DependencyArc> arcs;
  for (Index m = 1; m <= heads.size(); ++m) {
    arcs.push_back({heads[m - 1], static_cast<std::uint32_t>(m)});
  }
  const ArcPairGraph graph = pairs_of(DependencyArcs(heads.size(), arcs));
  std::vector<double> z(graph.layout().num_parts());
  graph.layout().indicator(std::vector<std::uint32_t>(arcs.size(), 1), z);
  std::vector<ArcPair> pairs;
  for (Index k = 0; k < graph.num_pairs(); ++k) {
    if (z[graph.num_arcs() + k] != 0) pairs.push_back(graph.pairs()[k]);
  }
  return pairs;
}

}  // namespace trellis::parse
