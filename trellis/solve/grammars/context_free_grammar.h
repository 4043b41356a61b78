// A weighted context-free grammar in plain arrays. Rules are A → B C and A → B over symbols, which
// are numbers; each sentence gives the weights of symbols for its words. Weights are ≥ 0, and the
// weight of a tree is the product of those of its rules and words.
//
// Unary rules may form cycles: each span may have chains of any length. The total weight of chains
// from A to B, Σ_k (Uᵏ)_AB = ((I − U)⁻¹)_AB, is computed once (Kleene's algorithm, which subtracts
// only from 1; Stolcke 1995, sec. 4.5), so that sums over trees include all chains.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

struct BinaryRule {
  std::uint32_t parent = 0, left = 0, right = 0;
  double weight = 0;
};
struct UnaryRule {
  std::uint32_t parent = 0, child = 0;
  double weight = 0;
};

class ContextFreeGrammar {
 public:
  // Rules A → B C with the same B and C.
  struct Pair {
    std::uint32_t left = 0, right = 0;  // places among left_symbols() and right_symbols()
    std::uint32_t begin = 0;            // the first of products()
  };
  struct Product {
    std::uint32_t parent = 0;
    double weight = 0;
  };

  // Weights of repeated rules are added. Throws UsageError for unknown symbols, for weights that
  // are negative or not finite, and for unary cycles whose chains have no finite weight.
  ContextFreeGrammar(Index num_symbols, std::uint32_t start, std::span<const BinaryRule> binary,
                     std::span<const UnaryRule> unary);

  Index num_symbols() const { return num_symbols_; }
  std::uint32_t start() const { return start_; }

  // The symbols that are the left, or right, child of a binary rule.
  std::span<const std::uint32_t> left_symbols() const { return left_symbols_; }
  std::span<const std::uint32_t> right_symbols() const { return right_symbols_; }
  // Pairs ascend by left and then by right; the last one only marks the end.
  std::span<const Pair> pairs() const { return std::span(pairs_).first(pairs_.size() - 1); }
  std::span<const Product> products(const Pair& pair) const {
    return std::span(products_).subspan(pair.begin, (&pair)[1].begin - pair.begin);
  }

  // Chains of one or more rules, from `parent` down to `child`: their total weight.
  std::span<const UnaryRule> chains() const { return chains_; }

 private:
  void add_pairs(std::span<const BinaryRule> binary);
  void close_chains(std::span<const UnaryRule> unary);

  Index num_symbols_;
  std::uint32_t start_;
  std::vector<std::uint32_t> left_symbols_, right_symbols_;
  std::vector<Pair> pairs_;
  std::vector<Product> products_;
  std::vector<UnaryRule> chains_;
};

}  // namespace trellis
