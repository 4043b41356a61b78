// The relaxation of labelled trees with scores of arcs and of pairs of arcs (higher_order_tree.h):
// points of the local polytope of their factor graph (relaxed_factor_graph.h), which second-order
// parsers use in training (Martins, Smith & Xing 2009). Parts are those of HigherOrderTree.
//
// maximize is AD³; if its point is integral, the output is the best tree. search() also returns the
// score of the point with the bound, as in relaxed_factor_graph.h.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/structure/graphs/relaxed_factor_graph.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/label_fold.h"

namespace trellis {

class RelaxedHigherOrderTree {
 public:
  // A tree, as in HigherOrderTree, or, if z is not empty, a point of the polytope.
  struct Output {
    Output() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a tree is one of the points.
    Output(std::vector<std::uint32_t> whole) : tree(std::move(whole)) {}

    std::vector<std::uint32_t> tree;
    std::vector<double> z;
    bool operator==(const Output&) const = default;
  };
  struct Scratch {
    RelaxedFactorGraph::Scratch graph;
    RelaxedFactorGraph::Output point;
    std::vector<double> scores;
    std::vector<std::uint32_t> best;
  };
  static constexpr Standing kMaximumStanding = Standing::kUpperBound;

  // Both must outlive the structure.
  RelaxedHigherOrderTree(const DependencyArcs& arcs, const ArcPairGraph& graph,
                         const Ad3Options& options = {})
      : fold_(arcs, graph), graph_(graph.layout(), options) {}

  Index num_parts() const { return fold_.num_parts(); }
  void indicator(const Output& y, std::span<double> z) const;
  double score(std::span<const double> s, const Output& y) const;

  // If AD³ finds that there is no tree, y is empty.
  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  MaximumBounds search(std::span<const double> s, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const { return fold_.unfold(graph_.linear_program()); }

 private:
  LabelFold fold_;
  RelaxedFactorGraph graph_;
};

static_assert(Maximizer<RelaxedHigherOrderTree> && Searcher<RelaxedHigherOrderTree>);

}  // namespace trellis
