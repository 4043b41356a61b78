// A packed forest: all derivations of a sentence in one acyclic hypergraph (Gallo, Longo,
// Pallottino & Nguyen 1993; Huang & Chiang 2005, sec. 2), as parsers make it from a chart.
//
// Nodes 0 … N−1 are the items that can be derived (a symbol over a span); the last one is the goal.
// An edge 0 … E−1 enters a node, its head, which it derives from its tails: none (a word), one or
// two nodes before the head. The edges of node v are those from begin(v) to begin(v + 1). A
// derivation of v is one of its edges with a derivation of each tail.
//
// Parts, and vectors of scores s over them, are the N nodes followed by the E edges:
//
//   score(derivation) = Σ over its edges of (s[N + edge] + s[head]) .
//
// No derivation may contain a node twice. This holds in charts, where the spans of two tails are
// disjoint and an edge without tails has a word of its own. So z of a node is the sum of z of its
// edges, and all z are 0 or 1.
//
// Dead ends are allowed: nodes without a derivation, and nodes that no derivation of the goal uses.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

class PackedForest {
 public:
  // Nodes; kNoNode if there is no such tail. A single tail is the left one.
  struct Tails {
    std::uint32_t left = kNoNode, right = kNoNode;
  };

  // Build a forest from the bottom up: a node, its edges, the next node. clear() keeps the memory
  // for the next sentence.
  void clear();
  void reserve(Index nodes, Index edges);
  std::uint32_t add_node() {
    const auto node = static_cast<std::uint32_t>(num_nodes());
    begin_.push_back(begin_.back());
    return node;
  }
  // Adds an edge into the node added last; tails must be earlier nodes.
  void add_edge(std::uint32_t left = kNoNode, std::uint32_t right = kNoNode) {
    assert(num_nodes() > 0);
    assert(left + 1 < begin_.size() - 1 && right + 1 < begin_.size() - 1);
    assert(right == kNoNode || (left != kNoNode && left != right));
    const Slots slots{left + 1, right + 1};
    if ((slots.left > slots.right ? slots.left : slots.right) > stages_.back()) begin_stage();
    slots_.push_back(slots);
    ++begin_.back();
  }
  // From flat arrays: the edges of node v are begin[v] … begin[v + 1] − 1. Throws like validate().
  static PackedForest from_arrays(std::span<const std::uint32_t> begin,
                                  std::span<const Tails> tails);

  // Throws UsageError if a requirement above is violated; that no derivation has a node twice is
  // checked only for the two tails of an edge.
  void validate() const;

  Index num_nodes() const { return begin_.size() - 1; }
  Index num_edges() const { return slots_.size(); }
  Index num_parts() const { return num_nodes() + num_edges(); }
  Index begin(Index node) const { return begin_[node]; }
  Index end(Index node) const { return begin_[node + 1]; }
  Tails tails(Index edge) const { return {slots_[edge].left - 1, slots_[edge].right - 1}; }
  Index head(Index edge) const;  // O(log N)

  // Tails in the form that algorithms use, as positions in a table of N + 1: that of a node is 1 +
  // its number, and 0 stands for no tail, so that it can be read and written like any other.
  struct Slots {
    std::uint32_t left, right;
  };
  std::span<const Slots> slots() const { return slots_; }
  std::span<const std::uint32_t> begins() const { return begin_; }
  // The first nodes of stages: runs of nodes of which no node is a tail of another.
  std::span<const std::uint32_t> stages() const { return stages_; }

 private:
  void begin_stage();

  std::vector<std::uint32_t> begin_ = {0};  // the last one is E
  std::vector<Slots> slots_;
  std::vector<std::uint32_t> stages_ = {0};
};

}  // namespace trellis
