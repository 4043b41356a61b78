#include "trellis/solve/factors/factor_graph_layout.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {
namespace {

// Stack memory for one sentence; only very long sentences need the heap.
class HeadOfWord {
 public:
  explicit HeadOfWord(Index size) {
    if (size > few_.size()) many_.resize(size, 0);
  }
  std::uint32_t& operator[](Index word) { return many_.empty() ? few_[word] : many_[word]; }

 private:
  std::array<std::uint32_t, 128> few_{};
  std::vector<std::uint32_t> many_;
};

}  // namespace

Index FactorGraphLayout::table_part(const Factor& f, std::span<const std::uint32_t> values) const {
  Index place = 0;
  for (const std::uint32_t v : scope(f)) place = place * num_values(v) + values[v];
  return f.parts_begin + place;
}

Index FactorGraphLayout::transition_part(const Factor& f, Index t, Index a, Index b) const {
  const std::span<const std::uint32_t> variables = scope(f);
  Index part = f.parts_begin;
  for (Index u = 0; u < t; ++u) part += arity(variables[u]) * arity(variables[u + 1]);
  return part + a * arity(variables[t + 1]) + b;
}

bool FactorGraphLayout::is_tree(const Factor& f, std::span<const std::uint32_t> values) const {
  const Tree& arcs = tree(f);
  const std::span<const Literal> literals = links(f);
  HeadOfWord head(arcs.words + 1);
  Index at_root = 0;
  for (Index m = 1; m <= arcs.words; ++m) {
    Index heads = 0;
    for (Index p = arcs.begin[m - 1]; p < arcs.begin[m]; ++p) {
      if (!holds(literals[p], values)) continue;
      ++heads;
      head[m] = arcs.head[p];
    }
    if (heads != 1) return false;
    if (head[m] == 0) ++at_root;
  }
  if (arcs.words > 0 && (at_root == 0 || (arcs.roots == Roots::kOne && at_root > 1))) return false;
  for (std::uint32_t m = 1; m <= arcs.words; ++m) {
    std::uint32_t h = m;
    for (Index step = 0; h != 0; ++step, h = head[h]) {
      if (step == arcs.words) return false;
    }
  }
  if (arcs.crossing == Crossing::kAllowed) return true;
  for (std::uint32_t m = 1; m <= arcs.words; ++m) {
    const std::uint32_t begin = std::min(m, head[m]), end = std::max(m, head[m]);
    for (std::uint32_t k = begin + 1; k < end; ++k) {
      if (head[k] < begin || head[k] > end) return false;
    }
  }
  return true;
}

bool FactorGraphLayout::legal(const Factor& f, std::span<const std::uint32_t> values) const {
  if (f.kind == FactorKind::kTree) return is_tree(f, values);
  const std::span<const Literal> literals = links(f);
  const auto count = [&] {
    return static_cast<Index>(std::ranges::count_if(
        literals, [&](const Literal& literal) { return holds(literal, values); }));
  };
  switch (f.kind) {
    case FactorKind::kOneOf:
      return count() == 1;
    case FactorKind::kAtMostOne:
      return count() <= 1;
    case FactorKind::kOr:
      return count() >= 1;
    case FactorKind::kBudget:
      return count() <= f.detail;
    default:
      return true;
  }
}

bool FactorGraphLayout::legal(std::span<const std::uint32_t> values) const {
  if (values.size() != num_variables()) return false;
  for (Index v = 0; v < num_variables(); ++v) {
    if (values[v] >= num_values(v)) return false;
  }
  return std::ranges::all_of(factors_,
                             [&](const Factor& f) { return !is_hard(f.kind) || legal(f, values); });
}

void FactorGraphLayout::indicator(std::span<const std::uint32_t> values,
                                  std::span<double> z) const {
  std::ranges::fill(z, 0.0);
  for (Index state = 0; state < num_states(); ++state) z[state] = is_on(state, values) ? 1 : 0;
  for (const Factor& f : factors_) {
    each_own_part(f, values, [&](Index part) { z[part] = 1; });
  }
}

double FactorGraphLayout::score(std::span<const double> s,
                                std::span<const std::uint32_t> values) const {
  ExactSum sum;
  for (Index state = 0; state < num_states(); ++state) {
    if (is_on(state, values)) sum.add(s[state]);
  }
  for (const Factor& f : factors_) {
    each_own_part(f, values, [&](Index part) { sum.add(s[part]); });
  }
  return sum.value();
}

}  // namespace trellis
