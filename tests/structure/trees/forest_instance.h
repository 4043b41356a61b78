// Random chart forests, and all their derivations by brute force.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/forests/packed_forest.h"

namespace trellis::conformance {

struct ForestShape {
  Index words = 3;
  Index symbols = 2;
  double rules = 1;    // each rule is there with this probability
  double missing = 0;  // each node and edge is not there with this one
};

// The chart of a sentence under a random grammar: a node (symbol, span) below the unary rules and
// one above them. Below it is made of two above-nodes side by side, or of the word; above, of the
// below-node of its own symbol or of a later one (so unary rules have no cycles). The goal is
// symbol 0 above the whole sentence. Spans come by width, or by their right ends, as charts are
// filled; dead ends stay where they are.
inline PackedForest draw_forest(const ForestShape& shape, Random& random) {
  const auto there = [&] { return random.uniform() >= shape.missing; };
  const Index symbols = shape.symbols, words = shape.words;
  std::vector<char> binary(symbols * symbols * symbols), unary(symbols * symbols);
  for (char& rule : binary) rule = random.uniform() < shape.rules;
  for (char& rule : unary) rule = random.uniform() < shape.rules;

  PackedForest forest;
  std::vector<std::uint32_t> above((words + 1) * (words + 1) * symbols, kNoNode);
  const auto place = [&](Index begin, Index end) { return (begin * (words + 1) + end) * symbols; };
  const auto add_below = [&](Index symbol, Index begin, Index end) {
    const std::uint32_t node = forest.add_node();
    if (end == begin + 1) {
      if (there()) forest.add_edge();
      return node;
    }
    for (Index middle = begin + 1; middle < end; ++middle) {
      for (Index pair = 0; pair < symbols * symbols; ++pair) {
        const std::uint32_t left = above[place(begin, middle) + pair / symbols];
        const std::uint32_t right = above[place(middle, end) + pair % symbols];
        if (left == kNoNode || right == kNoNode) continue;
        if (binary[symbol * symbols * symbols + pair] != 0 && there()) forest.add_edge(left, right);
      }
    }
    return node;
  };
  const auto add_span = [&](Index begin, Index end) {
    std::vector<std::uint32_t> below(symbols, kNoNode);
    for (Index a = 0; a < symbols; ++a) {
      if (there()) below[a] = add_below(a, begin, end);
    }
    const bool whole = end - begin == words;
    for (Index a = whole ? 1 : symbols; a-- > 0;) {  // of the whole sentence the goal alone
      if (!whole && !there()) continue;
      above[place(begin, end) + a] = forest.add_node();
      for (Index b = 0; b < symbols; ++b) {
        const bool rule = a == b || (b > a && unary[a * symbols + b] != 0);
        if (rule && below[b] != kNoNode && there()) forest.add_edge(below[b]);
      }
    }
  };
  if (random.below(2) == 0) {
    for (Index width = 1; width <= words; ++width) {
      for (Index begin = 0; begin + width <= words; ++begin) add_span(begin, begin + width);
    }
  } else {
    for (Index end = 1; end <= words; ++end) {
      for (Index begin = end; begin-- > 0;) add_span(begin, end);
    }
  }
  forest.validate();
  return forest;
}

using Derivations = std::vector<std::vector<std::uint32_t>>;

// The derivations of each node, counted and listed.
class AllDerivations {
 public:
  explicit AllDerivations(const PackedForest& forest) : forest_(forest) {
    for (Index node = 0; node < forest.num_nodes(); ++node) {
      double sum = 0;
      for (Index edge = forest.begin(node); edge < forest.end(node); ++edge) sum += count_of(edge);
      counts_.push_back(sum);
    }
  }

  // Of the goal.
  double count() const { return counts_.empty() ? 0 : counts_.back(); }
  Derivations list() const {
    return counts_.empty() ? Derivations{}
                           : list(static_cast<std::uint32_t>(forest_.num_nodes() - 1));
  }

 private:
  double count_of(Index edge) const {
    const auto count = [&](std::uint32_t tail) { return tail == kNoNode ? 1.0 : counts_[tail]; };
    return count(forest_.tails(edge).left) * count(forest_.tails(edge).right);
  }

  // The edges of a node, each with all pairs of derivations of its tails.
  Derivations list(std::uint32_t node) const {
    if (node == kNoNode) return Derivations(1);
    Derivations all;
    for (Index edge = forest_.begin(node); edge < forest_.end(node); ++edge) {
      if (count_of(edge) == 0) continue;
      const Derivations rights = list(forest_.tails(edge).right);
      for (const auto& left : list(forest_.tails(edge).left)) {
        for (const auto& right : rights) {
          all.push_back({static_cast<std::uint32_t>(edge)});
          all.back().insert(all.back().end(), left.begin(), left.end());
          all.back().insert(all.back().end(), right.begin(), right.end());
        }
      }
    }
    return all;
  }

  const PackedForest& forest_;
  std::vector<double> counts_;
};

}  // namespace trellis::conformance
