// The rules of a grammar by number, as charts access them: binary rules by their left symbol,
// chains by their lower one. There are no weights: parts give the scores of rules, span by span.
//
// A chain A → B stands for brackets over the same words, from A down to B, and is one rule: a span
// has at most one chain, so that a sentence has finitely many trees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class GrammarRules {
 public:
  struct Binary {
    std::uint32_t parent = 0, left = 0, right = 0;
  };
  struct Chain {
    std::uint32_t parent = 0, child = 0;
  };
  // The binary rules, and chains, that apply to a given symbol.
  struct WithRight {
    std::uint32_t right = 0, parent = 0, rule = 0;
  };
  struct Above {
    std::uint32_t parent = 0, rule = 0;
  };

  GrammarRules() = default;
  // `coarse`: the coarse symbol of each symbol. Rules are numbered in the given order. Throws
  // UsageError for unknown symbols.
  GrammarRules(std::uint32_t start, std::span<const std::uint32_t> coarse,
               std::span<const Binary> binary, std::span<const Chain> chains);

  Index num_symbols() const { return coarse_.size(); }
  Index num_coarse() const { return num_coarse_; }
  std::uint32_t start() const { return start_; }
  std::uint32_t coarse(Index symbol) const { return coarse_[symbol]; }
  // Ascending by right symbol.
  std::span<const WithRight> with_left(Index symbol) const {
    return std::span(with_left_)
        .subspan(left_begin_[symbol], left_begin_[symbol + 1] - left_begin_[symbol]);
  }
  std::span<const Above> above(Index symbol) const {
    return std::span(above_).subspan(above_begin_[symbol],
                                     above_begin_[symbol + 1] - above_begin_[symbol]);
  }
  // Whether the symbol is the upper one of a chain.
  bool tops_chains(Index symbol) const { return tops_chains_[symbol] != 0; }

 private:
  std::uint32_t start_ = 0;
  Index num_coarse_ = 0;
  std::vector<std::uint32_t> coarse_;
  std::vector<std::uint32_t> left_begin_, above_begin_;
  std::vector<WithRight> with_left_;
  std::vector<Above> above_;
  std::vector<std::uint8_t> tops_chains_;
};

}  // namespace trellis
