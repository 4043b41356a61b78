// Sums over all trees of a weighted grammar upon a sentence: the inside and outside weights of
// every symbol over every span (Baker 1979; Lari & Young 1990), and from them how often a symbol is
// expected over a span.
//
// Rules know nothing of where a span is split. So what two symbols weigh side by side, over all
// splits, is summed first, rows of right symbols at a time, and each rule is applied once:
//
//   T_BC(i, j) = Σ_k I_B(i, k) I_C(k, j)          b_A(i, j) = Σ_{A → B C} w T_BC(i, j)
//
// O(n³ L R + n² G) time for L left symbols that are there, R right ones and G rules, and on the way
// down the same with W_BC = Σ_A w O_A in the place of T. Chains of unary rules come on top:
// I = b + chains b.
//
// Weights of a span have an exponent of their own, powers of two, so that sentences of any length
// neither overflow nor vanish.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/grammars/context_free_grammar.h"

namespace trellis {

// Holds its memory, which repeated calls reuse; one for each thread.
class GrammarSums {
 public:
  // words: n rows, what each symbol weighs upon each word. Returns the logarithm of what all trees
  // of the start symbol weigh, −∞ where there is none. n ≥ 1. Grammar and words must live on.
  double inside(const ContextFreeGrammar& grammar, Index n, std::span<const double> words);

  // After inside() with a sum above −∞: expected counts.
  void outside();
  // How often each symbol is expected over words i … j − 1.
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
