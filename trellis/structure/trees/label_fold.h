// Candidate arcs with labels, and the factor graph of their switches (arc_pair_graph.h): the score
// of a switch is that of its best label, or the log Σ of its labels. Parts are the labelled arcs
// followed by the pairs; those of the graph are switches and pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"

namespace trellis {

class LabelFold {
 public:
  LabelFold(const DependencyArcs& arcs, const ArcPairGraph& graph) : arcs_(&arcs), graph_(&graph) {}

  const DependencyArcs& arcs() const { return *arcs_; }
  const ArcPairGraph& graph() const { return *graph_; }
  Index num_parts() const { return arcs_->size() + graph_->num_pairs(); }

  // Scores of the graph's parts: for each switch that of its best label, and which label that is,
  // or the log Σ.
  void fold_best(std::span<const double> s, std::vector<double>& folded,
                 std::vector<std::uint32_t>& best) const;
  void fold_sum(std::span<const double> s, std::vector<double>& folded) const;
  // Each label gets the share exp(s_p − log Σ) of its switch; pairs keep their values.
  void spread(std::span<const double> s, std::span<const double> folded,
              std::span<const double> switches, std::span<double> parts) const;
  // Σ over switches of their marginals times the entropy of their labels.
  double label_entropy(std::span<const double> s, std::span<const double> switches) const;

  // Converts a tree to an assignment of the switches, and back; labels are those of `best`.
  void assign(std::span<const std::uint32_t> tree, std::vector<std::uint32_t>& values) const;
  void read_tree(std::span<const std::uint32_t> values, std::span<const std::uint32_t> best,
                 std::vector<std::uint32_t>& tree) const;

  // Writes z of a tree: its arcs, and their pairs.
  void indicator(std::span<const std::uint32_t> tree, std::span<double> z) const;
  // s·z, rounded once.
  double score(std::span<const double> s, std::span<const std::uint32_t> tree) const;

  // Converts a program over the graph's parts to one over these: a switch is the sum of its labels.
  LinearProgram unfold(const LinearProgram& folded) const;

 private:
  const DependencyArcs* arcs_;
  const ArcPairGraph* graph_;
};

}  // namespace trellis
