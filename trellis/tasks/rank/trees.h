// Binary trees over the features of a document, as stored in models. At a node, a document goes
// left if its feature is at most the threshold (a missing feature is 0), and otherwise right, until
// it reaches a leaf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::rank {

struct Trees {
  static constexpr Index kMaxLeaves = 1024;  // of a tree

  std::vector<std::uint32_t> begin = {0};  // first node of each tree, and the end
  // By node:
  std::vector<std::uint32_t> columns;
  std::vector<float> thresholds;
  std::vector<std::int32_t> children;  // left, right: a later node, from the root, or ~leaf
  std::vector<float> gains;            // decrease of the loss on which the tree was grown

  Index size() const { return begin.size() - 1; }
  Index num_nodes() const { return columns.size(); }
  // A tree has one more leaf than nodes. Leaves are numbered through all trees.
  Index num_leaves() const { return num_nodes() + size(); }
  Index first_leaf(Index tree) const { return begin[tree] + tree; }

  // The leaf of a document in a tree; `features` by column.
  Index leaf(Index tree, std::span<const float> features) const {
    return walk(tree, [&](Index node) { return features[columns[node]] <= thresholds[node]; });
  }
  // The same; goes_left(node) decides for the document.
  template <class GoesLeft>
  Index walk(Index tree, const GoesLeft& goes_left) const {
    std::int32_t at = 0;
    do {
      const Index node = begin[tree] + static_cast<Index>(at);
      at = children[2 * node + (goes_left(node) ? 0 : 1)];
    } while (at >= 0);
    return first_leaf(tree) + static_cast<Index>(~at);
  }

  // Whether these are valid trees: each node and leaf has one parent, which precedes it; columns
  // are below `num_columns`; thresholds and gains are finite. For untrusted data.
  bool valid(Index num_columns) const;
  // The sum of the gains of each column's nodes.
  std::vector<double> gains_by_column(Index num_columns) const;
  // "7 > 2.5, 3 <= 0.1": the conditions of a leaf, with the names of the columns.
  std::string path_to(Index leaf, std::span<const std::uint32_t> names) const;

  void append(const Trees& others);
};

}  // namespace trellis::rank
