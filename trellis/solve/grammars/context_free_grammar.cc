#include "trellis/solve/grammars/context_free_grammar.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <tuple>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

void require_weight(double weight) {
  if (!(weight >= 0) || !std::isfinite(weight)) {
    throw UsageError("the weight of a rule must be a finite number of at least 0");
  }
}

// symbol → its place among those that are marked, which are listed.
std::vector<std::uint32_t> list_marked(std::vector<std::uint32_t> place,
                                       std::vector<std::uint32_t>& symbols) {
  for (std::uint32_t a = 0; a < place.size(); ++a) {
    if (place[a] == kNoPlace) continue;
    place[a] = static_cast<std::uint32_t>(symbols.size());
    symbols.push_back(a);
  }
  return place;
}

}  // namespace

ContextFreeGrammar::ContextFreeGrammar(Index num_symbols, std::uint32_t start,
                                       std::span<const BinaryRule> binary,
                                       std::span<const UnaryRule> unary)
    : num_symbols_(num_symbols), start_(start) {
  const auto known = [&](std::uint32_t symbol) { return symbol < num_symbols; };
  bool all_known = known(start);
  for (const BinaryRule& rule : binary) {
    all_known = all_known && known(rule.parent) && known(rule.left) && known(rule.right);
    require_weight(rule.weight);
  }
  for (const UnaryRule& rule : unary) {
    all_known = all_known && known(rule.parent) && known(rule.child);
    require_weight(rule.weight);
  }
  if (!all_known) throw UsageError("a rule of the grammar has an unknown symbol");
  add_pairs(binary);
  close_chains(unary);
}

void ContextFreeGrammar::add_pairs(std::span<const BinaryRule> binary) {
  std::vector<std::uint32_t> left(num_symbols_, kNoPlace), right(num_symbols_, kNoPlace);
  for (const BinaryRule& rule : binary) left[rule.left] = right[rule.right] = 0;
  left = list_marked(std::move(left), left_symbols_);
  right = list_marked(std::move(right), right_symbols_);
  std::vector<BinaryRule> rules(binary.begin(), binary.end());
  const auto key = [](const BinaryRule& r) { return std::tuple(r.left, r.right, r.parent); };
  std::ranges::stable_sort(rules, {}, key);
  for (Index i = 0; i < rules.size(); ++i) {
    const BinaryRule& rule = rules[i];
    if (i > 0 && key(rule) == key(rules[i - 1])) {
      products_.back().weight += rule.weight;
      continue;
    }
    if (i == 0 || rule.left != rules[i - 1].left || rule.right != rules[i - 1].right) {
      pairs_.push_back(
          {left[rule.left], right[rule.right], static_cast<std::uint32_t>(products_.size())});
    }
    products_.push_back({rule.parent, rule.weight});
  }
  pairs_.push_back({kNoPlace, kNoPlace, static_cast<std::uint32_t>(products_.size())});
}

// Kleene: paths by the highest symbol that they pass through on the way.
void ContextFreeGrammar::close_chains(std::span<const UnaryRule> unary) {
  std::vector<std::uint32_t> symbols, place(num_symbols_, kNoPlace);
  for (const UnaryRule& rule : unary) place[rule.parent] = place[rule.child] = 0;
  place = list_marked(std::move(place), symbols);
  const Index n = symbols.size();
  std::vector<double> chains(n * n, 0.0);
  for (const UnaryRule& rule : unary) {
    chains[place[rule.parent] * n + place[rule.child]] += rule.weight;
  }
  for (Index k = 0; k < n; ++k) {
    const double circle = chains[k * n + k];
    if (!(circle < 1)) {
      throw UsageError("the unary rules of the grammar have a cycle with weight 1 or more");
    }
    const double around = 1 / (1 - circle);
    const std::vector<double> through(chains.begin() + static_cast<std::ptrdiff_t>(k * n),
                                      chains.begin() + static_cast<std::ptrdiff_t>(k * n + n));
    for (Index a = 0; a < n; ++a) {
      const double to = chains[a * n + k] * around;
      if (to == 0) continue;
      for (Index b = 0; b < n; ++b) chains[a * n + b] += to * through[b];
    }
  }
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) {
      if (chains[a * n + b] > 0) chains_.push_back({symbols[a], symbols[b], chains[a * n + b]});
    }
  }
}

}  // namespace trellis
