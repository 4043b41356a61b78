// Labelled dependency trees that score by arcs and by pairs of arcs (arc_pair_graph.h). Parts are
// the candidate arcs, each label of an arc by itself, and behind them the pairs.
//
// What labels an arc has concerns no other: the best label of an arc, or the log Σ of its labels,
// is the score of its switch, and `Graph`, a structure over factor graphs, does the rest:
//
//   FactorGraph            maximize, exact
//   BeliefFactorGraph      sums by loopy belief propagation, an estimate
//   ReweightedFactorGraph  sums that are an upper bound
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/label_fold.h"

namespace trellis {

template <class Graph>
class HigherOrderTree {
 public:
  using Output = std::vector<std::uint32_t>;  // the arc of word m at [m − 1]
  struct Scratch {
    typename Graph::Scratch graph;
    std::vector<double> scores, z;
    std::vector<std::uint32_t> best;
    std::vector<std::uint32_t> values;
  };
  static constexpr bool kRelaxedProgram = true;  // see Structure
  static constexpr Standing kMaximumStanding = standing_of_maximum<Graph>();
  static constexpr Standing kSumStanding = standing_of_sums<Graph>();

  // `graph` is one of the layout of `pairs`; arcs and pairs must outlive the structure.
  HigherOrderTree(const DependencyArcs& arcs, const ArcPairGraph& pairs, const Graph& graph)
      : fold_(arcs, pairs), graph_(graph) {}

  const DependencyArcs& arcs() const { return fold_.arcs(); }
  const Graph& graph() const { return graph_; }
  Index num_parts() const { return fold_.num_parts(); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  // Where there is no tree y is empty.
  double maximize(std::span<const double> s, Scratch& scratch,
                  Output& y) const requires Maximizer<Graph>;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const requires Summer<Graph>;
  double log_partition(std::span<const double> s, Scratch& scratch) const requires Summer<Graph>;
  double entropy(std::span<const double> s, Scratch& scratch) const requires Summer<Graph>;
  static const Convergence& convergence(const Scratch& scratch) requires IterativeSummer<Graph> {
    return Graph::convergence(scratch.graph);
  }
  LinearProgram linear_program() const { return fold_.unfold(graph_.linear_program()); }

 private:
  LabelFold fold_;
  Graph graph_;
};

template <class Graph>
bool HigherOrderTree<Graph>::legal(const Output& y) const {
  const DependencyArcs& arcs = fold_.arcs();
  if (y.size() != arcs.words()) return false;
  for (Index m = 1; m <= y.size(); ++m) {
    if (y[m - 1] < arcs.begin(m) || y[m - 1] >= arcs.begin(m + 1)) return false;
  }
  std::vector<std::uint32_t> values;
  fold_.assign(y, values);
  return fold_.graph().layout().legal(values);
}

template <class Graph>
void HigherOrderTree<Graph>::indicator(const Output& y, std::span<double> z) const {
  fold_.indicator(y, z);
}

template <class Graph>
double HigherOrderTree<Graph>::score(std::span<const double> s, const Output& y) const {
  return fold_.score(s, y);
}

template <class Graph>
double HigherOrderTree<Graph>::maximize(std::span<const double> s, Scratch& scratch,
                                        Output& y) const requires Maximizer<Graph> {
  fold_.fold_best(s, scratch.scores, scratch.best);
  const double value = graph_.maximize(scratch.scores, scratch.graph, scratch.values);
  y.clear();
  if (value > kImpossible) fold_.read_tree(scratch.values, scratch.best, y);
  return value;
}

template <class Graph>
double HigherOrderTree<Graph>::log_partition(
    std::span<const double> s, Scratch& scratch,
    std::span<double> marginals) const requires Summer<Graph> {
  fold_.fold_sum(s, scratch.scores);
  scratch.z.resize(scratch.scores.size());
  const double value = graph_.log_partition(scratch.scores, scratch.graph, scratch.z);
  fold_.spread(s, scratch.scores, scratch.z, marginals);
  return value;
}

template <class Graph>
double HigherOrderTree<Graph>::log_partition(std::span<const double> s,
                                             Scratch& scratch) const requires Summer<Graph> {
  fold_.fold_sum(s, scratch.scores);
  scratch.z.resize(scratch.scores.size());
  return graph_.log_partition(scratch.scores, scratch.graph, scratch.z);
}

template <class Graph>
double HigherOrderTree<Graph>::entropy(std::span<const double> s,
                                       Scratch& scratch) const requires Summer<Graph> {
  fold_.fold_sum(s, scratch.scores);
  scratch.z.resize(scratch.scores.size());
  graph_.log_partition(scratch.scores, scratch.graph, scratch.z);
  return graph_.entropy(scratch.scores, scratch.graph) + fold_.label_entropy(s, scratch.z);
}

}  // namespace trellis
