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
  double density = 1;  // each rule, node and edge is there with this probability
};

// The chart of a sentence under a random grammar: a node (symbol, span) below the unary rules and
// one above them. Below it is made of two above-nodes side by side, or of the word; above, of the
// below-node of its own symbol or of a later one (so unary rules have no cycles). The goal is
// symbol 0 above the whole sentence. Spans come by width, or by their right ends, as charts are
// filled; dead ends stay where they are.
inline PackedForest draw_forest(const ForestShape& shape, Random& random) {
  const auto there = [&] { return shape.density >= 1 || random.uniform() < shape.density; };
  const Index symbols = shape.symbols, words = shape.words;
  std::vector<char> binary(symbols * symbols * symbols), unary(symbols * symbols);
  for (char& rule : binary) rule = there();
  for (char& rule : unary) rule = there();

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

// All derivations of a node: its edges, each with all pairs of derivations of its tails. Stops
// beyond `most` of them.
inline std::vector<std::vector<std::uint32_t>> all_derivations(const PackedForest& forest,
                                                               std::uint32_t node, Index most) {
  using Derivations = std::vector<std::vector<std::uint32_t>>;
  const auto below = [&](std::uint32_t tail) {
    return tail == kNoNode ? Derivations(1) : all_derivations(forest, tail, most);
  };
  Derivations all;
  for (Index edge = forest.begin(node); edge < forest.end(node); ++edge) {
    const auto [left, right] = forest.tails(edge);
    const Derivations lefts = below(left), rights = below(right);
    for (const auto& first : lefts) {
      for (const auto& second : rights) {
        if (all.size() > most) return all;
        all.push_back({static_cast<std::uint32_t>(edge)});
        all.back().insert(all.back().end(), first.begin(), first.end());
        all.back().insert(all.back().end(), second.begin(), second.end());
      }
    }
  }
  return all;
}

inline std::vector<std::vector<std::uint32_t>> all_derivations(const PackedForest& forest,
                                                               Index most) {
  if (forest.num_nodes() == 0) return {};
  return all_derivations(forest, static_cast<std::uint32_t>(forest.num_nodes() - 1), most);
}

}  // namespace trellis::conformance
