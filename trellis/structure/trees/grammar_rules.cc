#include "trellis/structure/trees/grammar_rules.h"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// begin[s] … begin[s + 1]: the places of items of symbol s in the order that `order` is brought to.
template <class Items, class Key>
std::vector<std::uint32_t> sort_by_symbol(const Items& items, Index symbols, const Key& key,
                                          std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> begin(symbols + 1, 0);
  order.resize(items.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return key(items[i]); });
  for (const auto& item : items) ++begin[key(item).first + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  return begin;
}

}  // namespace

GrammarRules::GrammarRules(std::uint32_t start, std::span<const std::uint32_t> coarse,
                           std::span<const Binary> binary, std::span<const Chain> chains)
    : start_(start), coarse_(coarse.begin(), coarse.end()), tops_chains_(coarse.size(), 0) {
  const auto known = [&](std::uint32_t symbol) { return symbol < coarse.size(); };
  bool all_known = known(start);
  for (const Binary& rule : binary) {
    all_known = all_known && known(rule.parent) && known(rule.left) && known(rule.right);
  }
  for (const Chain& rule : chains) all_known = all_known && known(rule.parent) && known(rule.child);
  if (!all_known)
    throw UsageError("a rule of the grammar has a symbol that the grammar does not have");
  for (const std::uint32_t symbol : coarse) {
    num_coarse_ = std::max(num_coarse_, Index{symbol} + 1);
  }
  std::vector<std::uint32_t> order;
  left_begin_ = sort_by_symbol(
      binary, coarse.size(), [](const Binary& rule) { return std::pair(rule.left, rule.right); },
      order);
  for (const std::uint32_t rule : order) {
    with_left_.push_back({binary[rule].right, binary[rule].parent, rule});
  }
  above_begin_ = sort_by_symbol(
      chains, coarse.size(), [](const Chain& rule) { return std::pair(rule.child, rule.parent); },
      order);
  for (const std::uint32_t rule : order) {
    above_.push_back({chains[rule].parent, rule});
    tops_chains_[chains[rule].parent] = 1;
  }
}

}  // namespace trellis
