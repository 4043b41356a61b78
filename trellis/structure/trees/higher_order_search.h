// The best tree of HigherOrderTree with limits on the search: for parsers, which would rather have
// a tree that is not proved to be the best than wait. MapResult tells which it is.
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

// Holds its memory, which repeated calls reuse; one for each thread.
class HigherOrderSearch {
 public:
  static constexpr Index kIterations = 12;
  // Links of factors that are brought up to date, in all iterations together, and at least so many
  // iterations: where a sentence has hundreds of words, this is the limit that matters.
  static constexpr Index kMostUpdates = Index{1} << 24;
  static constexpr Index kLeastIterations = 50;

  // At most `most_runs` of AD³, of kIterations in the mean.
  static MapLimits limits(const ArcPairGraph& graph, Index most_runs) {
    const Index affordable = kMostUpdates / std::max<Index>(1, graph.layout().num_links());
    return {
        .runs = most_runs,
        .iterations = std::min(kIterations * most_runs, std::max(kLeastIterations, affordable))};
  }

  // Within these limits. Writes the arc of word m to tree[m − 1], nothing where there is no tree.
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
