// The best tree of HigherOrderTree with limits on the search: for parsers, which prefer a tree
// without a proof of optimality to a long wait. MapResult says whether it is proved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/solve/factors/map_search.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/label_fold.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class HigherOrderSearch {
 public:
  static constexpr Index kIterations = 12;
  // The limit on updates of factor links, in all iterations together, and the minimum number of
  // iterations: for sentences of hundreds of words, this limit is the effective one.
  static constexpr Index kMostUpdates = Index{1} << 24;
  static constexpr Index kLeastIterations = 50;

  // A maximum of `most_runs` runs of AD³, of kIterations on average.
  static MapLimits limits(const ArcPairGraph& graph, Index most_runs) {
    const Index affordable = kMostUpdates / std::max<Index>(1, graph.layout().num_links());
    return {
        .runs = most_runs,
        .iterations = std::min(kIterations * most_runs, std::max(kLeastIterations, affordable))};
  }

  // Within these limits. Writes the arc of word m to tree[m − 1], nothing if there is no tree.
  MapResult solve(const DependencyArcs& arcs, const ArcPairGraph& graph, std::span<const double> s,
                  Index most_runs, std::vector<std::uint32_t>& tree) {
    const LabelFold fold(arcs, graph);
    fold.fold_best(s, scores_, best_);
    const MapResult result =
        search_.solve(graph.layout(), scores_, {}, values_, limits(graph, most_runs));
    tree.clear();
    if (!values_.empty() || arcs.words() == 0) fold.read_tree(values_, best_, tree);
    return result;
  }

 private:
  MapSearch search_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> values_;
};

}  // namespace trellis
