// The trees of a grammar for a sentence as a packed forest (solve/forests/packed_forest.h), built
// by CKY from short spans to long ones; structure/trees/parse_forest.h has the best tree, sums and
// draws.
//
//   node   (symbol, span) made by a rule or a word; or, above these, for symbols at the top of
//          chains, the result of a chain
//   edge   word     no tail
//          binary   the nodes left and right of a split, with or without chains
//          chain    a node below
//          pass     a node below with the same symbol: no chain
//
// A table of spans and coarse symbols selects the nodes to make. Nodes that are in no tree of the
// whole sentence are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/forests/packed_forest.h"
#include "trellis/structure/trees/grammar_rules.h"

namespace trellis {

// The coarse symbols that are allowed over words i … j − 1.
class KeptSpans {
 public:
  void assign(Index words, Index num_coarse, bool keep);
  Index words() const { return words_; }
  bool keeps(Index i, Index j, Index coarse) const { return kept_[at(i, j) + coarse] != 0; }
  bool keeps_any(Index i, Index j) const { return any_[at(i, j) / num_coarse_] != 0; }
  void keep(Index i, Index j, Index coarse) {
    kept_[at(i, j) + coarse] = 1;
    any_[at(i, j) / num_coarse_] = 1;
  }
  Index num_kept() const;

 private:
  Index at(Index i, Index j) const {
    return (i * (2 * words_ - i + 1) / 2 + (j - i - 1)) * num_coarse_;
  }
  Index words_ = 0, num_coarse_ = 1;
  std::vector<std::uint8_t> kept_, any_;
};

struct ChartNode {
  std::uint32_t symbol = 0;
  std::uint32_t begin = 0, end = 0;
  bool above = false;
};
struct ChartEdge {
  enum class Kind : std::uint8_t { kWord, kBinary, kChain, kPass };
  Kind kind = Kind::kWord;
  std::uint32_t rule = 0;   // of binary ones and chains
  std::uint32_t split = 0;  // of binary ones
};

// The forest, and the meaning of its nodes and edges. Without nodes, there is no tree.
struct ChartForest {
  PackedForest forest;
  std::vector<ChartNode> nodes;
  std::vector<ChartEdge> edges;

  void clear();
};

// Builds forests and reuses its memory; use one per thread.
class ChartForestBuilder {
 public:
  // tags[i]: the possible symbols of word i.
  void build(const GrammarRules& rules, std::span<const std::vector<std::uint32_t>> tags,
             const KeptSpans& kept, ChartForest& out);
  // `from` without the edges with keep[e] = 0, and without everything that is then in no tree.
  void keep_edges(const ChartForest& from, std::span<const std::uint8_t> keep, ChartForest& out);

 private:
  struct Made {
    std::uint32_t symbol;
    ChartEdge edge;
    PackedForest::Tails tails;
  };
  struct Item {
    std::uint32_t symbol, node;
  };

  void fill_span(Index i, Index j);
  void make_binary(Index i, Index j);
  void add_made(Index i, Index j, bool above);
  void make_chains(Index i, Index j);
  void end_span(Index i, Index j);
  template <class Keep>
  void trim(const ChartForest& from, std::uint32_t goal, const Keep& keep, ChartForest& out);
  Index span(Index i, Index j) const { return i * (n_ + 1) + j; }

  const GrammarRules* rules_ = nullptr;
  std::span<const std::vector<std::uint32_t>> tags_;
  const KeptSpans* kept_ = nullptr;
  Index n_ = 0;
  ChartForest whole_;
  std::vector<Made> made_, sorted_;
  std::vector<std::uint32_t> count_, touched_;  // by symbol: of made_; which are not 0
  std::vector<Item> below_;                     // of the span at hand
  std::vector<Item> items_;                     // that binary rules may take, span by span
  std::vector<std::uint32_t> items_begin_, items_end_;
  // By begin and symbol, for spans with the same end as the current one: the node, or kNoNode.
  std::vector<std::uint32_t> ending_here_;
  std::vector<std::uint32_t> place_;   // of a node in the trimmed forest
  std::vector<std::uint8_t> derived_;  // by node: something is left that makes it
};

}  // namespace trellis
