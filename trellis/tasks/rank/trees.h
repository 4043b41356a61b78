// Binary trees over the features of a document, as a model keeps them: at a node, a document goes
// left where its feature is at most the threshold (a feature that it does not mention is 0), and
// right otherwise, until it is at a leaf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::rank {

struct Trees {
  static constexpr Index kMaxLeaves = 1024;  // of a tree

  std::vector<std::uint32_t> begin = {0};  // of each tree's nodes, and where the last one ends
  // Of each node:
  std::vector<std::uint32_t> columns;
  std::vector<float> thresholds;
  std::vector<std::int32_t> children;  // left, right: a later node, counted from the root, or ~leaf
  std::vector<float> gains;            // how much it lowered the loss that it was grown on

  Index size() const { return begin.size() - 1; }
  Index num_nodes() const { return columns.size(); }
  // A tree has one leaf more than nodes. Leaves are numbered through all trees.
  Index num_leaves() const { return num_nodes() + size(); }
  Index first_leaf(Index tree) const { return begin[tree] + tree; }

  // The leaf of a tree where a document ends up; `features` by column.
  Index leaf(Index tree, std::span<const float> features) const {
    return walk(tree, [&](Index node) { return features[columns[node]] <= thresholds[node]; });
  }
  // The same where goes_left(node) answers for the document.
  template <class GoesLeft>
  Index walk(Index tree, const GoesLeft& goes_left) const {
    std::int32_t at = 0;
    do {
      const Index node = begin[tree] + static_cast<Index>(at);
      at = children[2 * node + (goes_left(node) ? 0 : 1)];
    } while (at >= 0);
    return first_leaf(tree) + static_cast<Index>(~at);
  }

  // Whether these are trees: every node and leaf is led to once, from before; columns are below
  // `num_columns`, thresholds and gains finite. To be asked of what a stranger wrote.
  bool valid(Index num_columns) const;
  // The sum of the gains of each column's nodes.
  std::vector<double> gains_by_column(Index num_columns) const;
  // "7 > 2.5, 3 <= 0.1": what a leaf's documents have in common, with the names of the columns.
  std::string path_to(Index leaf, std::span<const std::uint32_t> names) const;

  void append(const Trees& others);
};

}  // namespace trellis::rank
