// A weighted context-free grammar in plain arrays. Rules are A → B C and A → B over symbols that
// are numbers; what a symbol makes of a word is told for each sentence. Weights are not negative,
// and a tree weighs the product of its rules and words.
//
// Unary rules may lead in circles: a chain of any length stands above each span. What chains from A
// to B weigh together, Σ_k (Uᵏ)_AB = ((I − U)⁻¹)_AB, is found once (Kleene's algorithm, which
// subtracts from 1 alone; Stolcke 1995, sec. 4.5), so that sums over trees have them all.
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
  // Rules A → B C of one B and C.
  struct Pair {
    std::uint32_t left = 0, right = 0;  // places among left_symbols() and right_symbols()
    std::uint32_t begin = 0;            // the first of products()
  };
  struct Product {
    std::uint32_t parent = 0;
    double weight = 0;
  };

  // Of rules that are given twice the weights add up. Throws UsageError for symbols that are not
  // there, for weights that are negative or not finite, and for unary circles whose chains have no
  // finite weight.
  ContextFreeGrammar(Index num_symbols, std::uint32_t start, std::span<const BinaryRule> binary,
                     std::span<const UnaryRule> unary);

  Index num_symbols() const { return num_symbols_; }
  std::uint32_t start() const { return start_; }

  // The symbols that begin, or end, what a binary rule makes.
  std::span<const std::uint32_t> left_symbols() const { return left_symbols_; }
  std::span<const std::uint32_t> right_symbols() const { return right_symbols_; }
  // Pairs ascend by left and then by right; the last is only an end.
  std::span<const Pair> pairs() const { return std::span(pairs_).first(pairs_.size() - 1); }
  std::span<const Product> products(const Pair& pair) const {
    return std::span(products_).subspan(pair.begin, (&pair)[1].begin - pair.begin);
  }

  // Chains of one rule or more, from `parent` down to `child`: their weight together.
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
