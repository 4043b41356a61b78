#include "trellis/solve/grammars/grammar_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <ranges>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr int kNothing = std::numeric_limits<int>::min();  // the exponent of a row of zeros
constexpr int kVanishes = -1100;                           // 2 to this power underflows to 0

// 2^exponent; 0 if that underflows.
double power_of_two(int exponent) {
  return exponent < kVanishes ? 0 : std::ldexp(1.0, exponent);
}

}  // namespace

double GrammarSums::inside(const ContextFreeGrammar& grammar, Index n,
                           std::span<const double> words) {
  grammar_ = &grammar;
  n_ = n;
  symbols_ = grammar.num_symbols();
  lefts_ = grammar.left_symbols().size();
  rights_ = grammar.right_symbols().size();
  assert(n > 0 && words.size() == n * symbols_);
  const Index spans = n * (n + 1) / 2;
  inside_.assign(spans * symbols_, 0.0);
  inside_exponent_.assign(spans, kNothing);
  right_.resize(spans * rights_);
  for (Index width = 1; width <= n; ++width) {
    for (Index i = 0; i + width <= n; ++i) {
      const Index at = span(i, i + width);
      if (width == 1) {
        std::ranges::copy(words.subspan(i * symbols_, symbols_), row(inside_, at).begin());
        inside_exponent_[at] = 0;
      } else {
        gather_splits(i, i + width);
        apply_rules(at);
      }
      add_chains(at);
      normalise(inside_, inside_exponent_, at);
      const std::span<const double> all = row(inside_, at);
      for (Index r = 0; r < rights_; ++r) {
        right_[at * rights_ + r] = all[grammar.right_symbols()[r]];
      }
    }
  }
  const Index top = span(0, n);
  const double sum = row(inside_, top)[grammar.start()];
  if (sum == 0) return -kInfinity;
  return portable_log(sum) + inside_exponent_[top] * portable_log(2);
}

// Computes T and its exponent.
void GrammarSums::gather_splits(Index i, Index j) {
  const Index at = span(i, j);
  pairs_.assign(lefts_ * rights_, 0.0);
  const auto exponent_of = [&](Index k) {
    const int left = inside_exponent_[span(i, k)], right = inside_exponent_[span(k, j)];
    return left == kNothing || right == kNothing ? kNothing : left + right;
  };
  int largest = kNothing;
  for (Index k = i + 1; k < j; ++k) largest = std::max(largest, exponent_of(k));
  inside_exponent_[at] = largest;
  for (Index k = i + 1; k < j; ++k) {
    const int exponent = exponent_of(k);
    const double scale = exponent == kNothing ? 0 : power_of_two(exponent - largest);
    if (scale == 0) continue;
    const std::span<const double> left = row(inside_, span(i, k));
    const std::span<const double> right = right_row(span(k, j));
    for (Index l = 0; l < lefts_; ++l) {
      const double weight = left[grammar_->left_symbols()[l]];
      if (weight > 0) {
        axpy(weight * scale, right, std::span(pairs_).subspan(l * rights_, rights_));
      }
    }
  }
}

void GrammarSums::apply_rules(Index at) {
  if (inside_exponent_[at] == kNothing) return;
  const std::span<double> weights = row(inside_, at);
  for (const ContextFreeGrammar::Pair& pair : grammar_->pairs()) {
    const double together = pairs_[pair.left * rights_ + pair.right];
    if (together == 0) continue;
    for (const ContextFreeGrammar::Product& product : grammar_->products(pair)) {
      weights[product.parent] += product.weight * together;
    }
  }
}

void GrammarSums::add_chains(Index at) {
  const std::span<double> weights = row(inside_, at);
  before_.assign(weights.begin(), weights.end());
  for (const UnaryRule& chain : grammar_->chains()) {
    weights[chain.parent] += chain.weight * before_[chain.child];
  }
}

// Scales the largest weight of each row to [1/2, 1).
void GrammarSums::normalise(std::vector<double>& rows, std::vector<int>& exponents,
                            Index at) const {
  const std::span<double> weights = row(rows, at);
  const double largest = max_value(weights);
  if (largest == 0) {
    exponents[at] = kNothing;
    return;
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  scale(std::ldexp(1.0, -exponent), weights);
  exponents[at] += exponent;
}

void GrammarSums::outside() {
  outside_.assign(inside_.size(), 0.0);
  outside_exponent_.assign(inside_exponent_.size(), kNothing);
  pairs_.assign(lefts_ * rights_, 0.0);  // those without a rule stay so
  const Index top = span(0, n_);
  row(outside_, top)[grammar_->start()] = 1;
  outside_exponent_[top] = 0;
  for (Index width = n_; width > 0; --width) {
    for (Index i = 0; i + width <= n_; ++i) {
      const Index at = span(i, i + width);
      if (outside_exponent_[at] == kNothing) continue;
      const std::span<double> weights = row(outside_, at);
      before_.assign(weights.begin(), weights.end());
      for (const UnaryRule& chain : grammar_->chains()) {
        weights[chain.child] += chain.weight * before_[chain.parent];
      }
      normalise(outside_, outside_exponent_, at);
      if (width == 1) continue;
      share_among_pairs(at);
      pass_down(i, i + width);
    }
  }
}

// Computes W.
void GrammarSums::share_among_pairs(Index at) {
  const std::span<const double> weights = row(outside_, at);
  for (const ContextFreeGrammar::Pair& pair : grammar_->pairs()) {
    double sum = 0;
    for (const ContextFreeGrammar::Product& product : grammar_->products(pair)) {
      sum += product.weight * weights[product.parent];
    }
    pairs_[pair.left * rights_ + pair.right] = sum;
  }
}

// The outside weight of each side: the span's outside weights times its neighbour's inside weights.
// Symbols with weight 0 need none.
void GrammarSums::pass_down(Index i, Index j) {
  const int above = outside_exponent_[span(i, j)];
  for (Index k = i + 1; k < j; ++k) {
    const Index left_at = span(i, k), right_at = span(k, j);
    const int left_exponent = inside_exponent_[left_at],
              right_exponent = inside_exponent_[right_at];
    if (left_exponent == kNothing || right_exponent == kNothing) continue;
    const std::span<const double> left = row(inside_, left_at), right = right_row(right_at);
    left_sums_.assign(lefts_, 0.0);
    right_sums_.assign(rights_, 0.0);
    for (Index l = 0; l < lefts_; ++l) {
      const double weight = left[grammar_->left_symbols()[l]];
      if (weight == 0) continue;
      const std::span<const double> pairs = std::span(pairs_).subspan(l * rights_, rights_);
      left_sums_[l] = dot(pairs, right);
      axpy(weight, pairs, right_sums_);
    }
    add_outside(left_at, grammar_->left_symbols(), left_sums_, above + right_exponent);
    add_outside(right_at, grammar_->right_symbols(), right_sums_, above + left_exponent);
  }
}

// The exponent of a row is the largest of those added, each set by the largest weight.
void GrammarSums::add_outside(Index at, std::span<const std::uint32_t> symbols,
                              std::span<const double> sums, int exponent) {
  const double largest = max_value(sums);
  if (!(largest > 0)) return;
  int own = 0;
  std::frexp(largest, &own);
  const std::span<double> weights = row(outside_, at);
  int& current = outside_exponent_[at];
  if (current == kNothing) current = exponent + own;
  if (exponent + own > current) {
    scale(power_of_two(current - exponent - own), weights);
    current = exponent + own;
  }
  const double shrink = power_of_two(exponent - current);
  for (Index p = 0; p < symbols.size(); ++p) weights[symbols[p]] += shrink * sums[p];
}

void GrammarSums::expected(Index i, Index j, std::span<double> counts) const {
  const Index at = span(i, j), top = span(0, n_);
  if (inside_exponent_[at] == kNothing || outside_exponent_[at] == kNothing) {
    std::ranges::fill(counts, 0.0);
    return;
  }
  const std::span<const double> in = row(inside_, at), out = row(outside_, at);
  const double share =
      std::ldexp(1 / row(inside_, top)[grammar_->start()],
                 inside_exponent_[at] + outside_exponent_[at] - inside_exponent_[top]);
  for (Index a = 0; a < symbols_; ++a) counts[a] = in[a] * out[a] * share;
}

}  // namespace trellis
