// Sums over all trees of a weighted grammar for a sentence: the inside and outside weights of every
// symbol over every span (Baker 1979; Lari & Young 1990), and from them the expected count of each
// symbol over a span.
//
// Rules do not depend on the split of a span. So the weights of two adjacent symbols are first
// summed over all splits, a row of right symbols at a time, and then each rule is applied once:
//
//   T_BC(i, j) = Σ_k I_B(i, k) I_C(k, j)          b_A(i, j) = Σ_{A → B C} w T_BC(i, j)
//
// O(n³ L R + n² G) time for L left symbols that occur, R right ones and G rules. The downward pass
// takes the same, with W_BC = Σ_A w O_A in the place of T. Chains of unary rules are applied after
// that: I = b + chains b.
//
// The weights of a span have an exponent of their own, a power of two, so that sentences of any
// length neither overflow nor underflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/grammars/context_free_grammar.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class GrammarSums {
 public:
  // words: n ≥ 1 rows, the weight of each symbol for each word. Returns the log of the total weight
  // of trees of the start symbol, −∞ without a tree. Grammar and words must outlive the calls.
  double inside(const ContextFreeGrammar& grammar, Index n, std::span<const double> words);

  // After inside() with a sum above −∞: expected counts.
  void outside();
  // The expected count of each symbol over words i … j − 1.
  void expected(Index i, Index j, std::span<double> counts) const;

 private:
  Index span(Index i, Index j) const { return i * (2 * n_ - i + 1) / 2 + (j - i - 1); }
  std::span<double> row(std::vector<double>& rows, Index at) const {
    return std::span(rows).subspan(at * symbols_, symbols_);
  }
  std::span<const double> row(const std::vector<double>& rows, Index at) const {
    return std::span(rows).subspan(at * symbols_, symbols_);
  }
  std::span<double> right_row(Index at) { return std::span(right_).subspan(at * rights_, rights_); }
  void gather_splits(Index i, Index j);
  void apply_rules(Index at);
  void add_chains(Index at);
  void normalise(std::vector<double>& rows, std::vector<int>& exponents, Index at) const;
  void share_among_pairs(Index at);
  void pass_down(Index i, Index j);
  void add_outside(Index at, std::span<const std::uint32_t> symbols, std::span<const double> sums,
                   int exponent);

  const ContextFreeGrammar* grammar_ = nullptr;
  Index n_ = 0, symbols_ = 0, lefts_ = 0, rights_ = 0;
  // By span: rows of symbols, times 2^exponent.
  std::vector<double> inside_, outside_;
  std::vector<int> inside_exponent_, outside_exponent_;
  std::vector<double> right_;   // inside weights of right symbols, side by side
  std::vector<double> pairs_;   // T or W: rows of right symbols
  std::vector<double> before_;  // a row before chains are added
  std::vector<double> left_sums_, right_sums_;
};

}  // namespace trellis
