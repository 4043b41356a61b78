// The graph of a tree-shaped Markov network: a forest over N nodes, the labels of each node, and
// the tables of parts that score nodes and edges. Made once for each graph and shared by all
// examples with that graph.
//
// Node j has |D_j| labels and table node_tables[j]; edge (j, k) has |D_j| × |D_k| pairs and table
// edge_tables[e]. Nodes (edges) with the same table share its parts — they are *tied*, and an
// indicator z counts — and must have the same number of labels. Tables are numbered 0, 1, … without
// gaps; without a list each node (edge) has its own. Parts, in this order:
//
//   node tables   |D| each      part = table + label
//   edge tables   |D| × |D'|    part = table + label of j · |D_k| + label of k
//
// Elimination moves from the leaves to the roots (the smallest node of each tree), children before
// parents, and the child with the largest subtree before its siblings. So at most ⌊log₂ N⌋ + 1
// nodes are begun and not finished at any time, and the score of an output needs no memory. The
// roots are children of one more node, N, with a single label and no scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class TreeMrfLayout {
 public:
  struct Edge {
    Index first;   // j, whose labels are the rows of the table
    Index second;  // k, whose labels are its columns
  };
  // A node below its parent.
  struct Step {
    Index node;
    Index parent;       // num_nodes() for a root
    Index edge;         // kNone for a root
    bool leaf;          // has no children
    bool first;         // of its parent's children
    bool parent_first;  // the parent is the edge's first node
  };
  static constexpr Index kNone = ~Index{0};
  static constexpr Index kMaxParts = Index{1} << 31;

  // Throws UsageError where an edge closes a cycle, is a loop, is there twice or names no node;
  // where there is no node, or a node has no labels; where a list has another size, a gap, or tied
  // tables differ in size; and where there are more than kMaxParts parts.
  TreeMrfLayout(std::vector<Index> num_labels, std::vector<Edge> edges,
                std::vector<Index> node_tables = {}, std::vector<Index> edge_tables = {});

  Index num_nodes() const { return num_labels_.size(); }
  Index num_labels(Index node) const { return num_labels_[node]; }
  Index max_labels() const { return max_labels_; }
  std::span<const Edge> edges() const { return edges_; }
  Index node_table(Index node) const { return node_tables_[node]; }
  Index edge_table(Index edge) const { return edge_tables_[edge]; }
  bool tied() const { return tied_; }
  Index num_parts() const { return num_parts_; }
  Index node_part(Index node, Label label) const {
    return node_begin_[node_tables_[node]] + static_cast<Index>(label);
  }
  Index edge_part(Index edge, Label first, Label second) const {
    return edge_begin_[edge_tables_[edge]] +
           static_cast<Index>(first) * num_labels_[edges_[edge].second] +
           static_cast<Index>(second);
  }
  // How many nodes (edges) have the same table as this one.
  Index node_users(Index node) const { return node_users_[node_tables_[node]]; }
  Index edge_users(Index edge) const { return edge_users_[edge_tables_[edge]]; }

  // (node, label) pairs, numbered one after another.
  Index num_states() const { return state_begin_.back(); }
  Index state_begin(Index node) const { return state_begin_[node]; }

  // (node, label of its parent) pairs, in the same way.
  Index num_messages() const { return num_messages_; }
  Index message_begin(Index node) const { return message_begin_[node]; }
  Index message_node(Index message) const;

  // Children before parents; read backwards, parents before children.
  std::span<const Step> steps() const { return steps_; }
  const Step& step(Index node) const { return steps_[step_of_[node]]; }

 private:
  void check_edges() const;
  void check_shapes() const;
  void number_parts();
  void order_steps();

  std::vector<Index> num_labels_;
  std::vector<Edge> edges_;
  std::vector<Index> node_tables_, edge_tables_;
  std::vector<Index> node_begin_, edge_begin_;  // the first part, by table
  std::vector<Index> node_users_, edge_users_;  // by table
  std::vector<Index> state_begin_;
  std::vector<Index> message_begin_;
  std::vector<Step> steps_;
  std::vector<Index> step_of_;  // by node
  Index num_messages_ = 0;
  Index num_parts_ = 0;
  Index max_labels_ = 1;
  bool tied_ = false;
};

}  // namespace trellis
