#include "trellis/solve/factors/factor_maximum.h"

#include <algorithm>
#include <cassert>
#include <ranges>

namespace trellis {

double FactorMaximum::solve(const FactorGraphLayout& graph, const Factor& f,
                            std::span<const double> c, std::span<const double> s,
                            std::vector<std::uint32_t>& on) {
  assert(c.size() == f.links_end - f.links_begin && s.size() == graph.num_parts());
  on.clear();
  switch (f.kind) {
    case FactorKind::kTable:
      return table(graph, f, c, s, on);
    case FactorKind::kSequence:
      return sequence(graph, f, c, s, on);
    case FactorKind::kPair: {
      const double both = c[0] + c[1] + s[f.parts_begin];
      const double one = std::max(c[0], c[1]);
      if (both > one && both > 0) {
        on.assign({0, 1});
        return both;
      }
      if (!(one > 0)) return 0;
      on.push_back(c[0] < c[1] ? 1 : 0);
      return one;
    }
    case FactorKind::kHead:
      return head(f, c, s, on);
    case FactorKind::kTree:
      return tree(graph, f, c, on);
    default:
      return logical(graph, f, c, on);
  }
}

// Goes through the assignments as an odometer does; best_ holds the scores of the values up to each
// variable.
double FactorMaximum::table(const FactorGraphLayout& graph, const Factor& f,
                            std::span<const double> c, std::span<const double> s,
                            std::vector<std::uint32_t>& on) {
  const std::span<const std::uint32_t> scope = graph.scope(f);
  const Index n = scope.size();
  best_.assign(n + 1, 0.0);
  from_.assign(n + 1, 0);   // the first link of each variable
  order_.assign(n + 1, 0);  // its value
  const auto gain = [&](Index t) {
    if (graph.is_switch(scope[t])) return order_[t] == 1 ? c[from_[t]] : 0.0;
    return c[from_[t] + order_[t]];
  };
  for (Index t = 0; t < n; ++t) {
    from_[t + 1] = from_[t] + static_cast<std::uint32_t>(graph.arity(scope[t]));
    best_[t + 1] = best_[t] + gain(t);
  }
  double best = -kInfinity;
  Index best_part = f.parts_begin;
  for (Index part = f.parts_begin; part < f.parts_end; ++part) {
    const double value = best_[n] + s[part];
    if (value > best) best = value, best_part = part;
    Index t = n;
    while (t > 0 && order_[t - 1] + 1 == graph.num_values(scope[t - 1])) order_[--t] = 0;
    if (t == 0) break;
    ++order_[t - 1];
    for (--t; t < n; ++t) best_[t + 1] = best_[t] + gain(t);
  }
  Index place = best_part - f.parts_begin;
  for (Index t = n; t-- > 0;) {
    const Index values = graph.num_values(scope[t]);
    order_[t] = static_cast<std::uint32_t>(place % values);
    place /= values;
  }
  for (Index t = 0; t < n; ++t) {
    if (!graph.is_switch(scope[t])) {
      on.push_back(from_[t] + order_[t]);
    } else if (order_[t] == 1) {
      on.push_back(from_[t]);
    }
  }
  return best;
}

double FactorMaximum::sequence(const FactorGraphLayout& graph, const Factor& f,
                               std::span<const double> c, std::span<const double> s,
                               std::vector<std::uint32_t>& on) {
  const std::span<const std::uint32_t> scope = graph.scope(f);
  best_.assign(c.begin(), c.end());
  from_.resize(c.size());
  Index part = f.parts_begin, first = 0, arity = graph.arity(scope[0]);
  for (Index t = 1; t < scope.size(); ++t) {
    const Index next = first + arity, next_arity = graph.arity(scope[t]);
    for (Index b = 0; b < next_arity; ++b) {
      Index best = 0;
      double value = best_[first] + s[part + b];
      for (Index a = 1; a < arity; ++a) {
        const double other = best_[first + a] + s[part + a * next_arity + b];
        if (other > value) value = other, best = a;
      }
      best_[next + b] += value;
      from_[next + b] = static_cast<std::uint32_t>(first + best);
    }
    part += arity * next_arity;
    first = next;
    arity = next_arity;
  }
  const auto last = best_.begin() + static_cast<std::ptrdiff_t>(first);
  auto state = static_cast<std::uint32_t>(std::max_element(last, best_.end()) - best_.begin());
  const double value = best_[state];
  on.resize(scope.size());
  for (Index t = scope.size(); t-- > 0; state = from_[state]) on[t] = state;
  return value;
}

// The best path 0 → K + 1, where each step from a to b > a has the score of part (a, b), and each
// stop that of its switch.
double FactorMaximum::head(const Factor& f, std::span<const double> c, std::span<const double> s,
                           std::vector<std::uint32_t>& on) {
  const Index end = c.size() + 1;
  best_.assign(end + 1, -kInfinity);
  from_.resize(end + 1);
  best_[0] = 0;
  Index part = f.parts_begin;
  for (Index a = 0; a < end; ++a) {
    const double here = best_[a] + (a > 0 ? c[a - 1] : 0.0);
    for (Index b = a + 1; b <= end; ++b, ++part) {
      const double value = here + s[part];
      // From 0 first, so ties go to what has fewer stops.
      if (value > best_[b]) best_[b] = value, from_[b] = static_cast<std::uint32_t>(a);
    }
  }
  for (Index b = from_[end]; b > 0; b = from_[b]) on.push_back(static_cast<std::uint32_t>(b - 1));
  std::ranges::reverse(on);
  return best_[end];
}

// g_l is the gain if literal l holds, compared with the case that it does not.
double FactorMaximum::logical(const FactorGraphLayout& graph, const Factor& f,
                              std::span<const double> c, std::vector<std::uint32_t>& on) {
  const std::span<const Literal> literals = graph.links(f);
  const auto gain = [&](Index l) { return literals[l].negated ? -c[l] : c[l]; };
  Index best = 0;
  order_.clear();  // those that hold
  for (Index l = 0; l < c.size(); ++l) {
    if (gain(l) > gain(best)) best = l;
    if (gain(l) > 0) order_.push_back(static_cast<std::uint32_t>(l));
  }
  const bool one = f.kind == FactorKind::kOneOf || f.kind == FactorKind::kAtMostOne;
  const bool some = f.kind == FactorKind::kOneOf || f.kind == FactorKind::kOr;
  if ((one && !order_.empty()) || (some && order_.empty())) {
    order_.assign({static_cast<std::uint32_t>(best)});
  } else if (f.kind == FactorKind::kBudget && order_.size() > f.detail) {
    std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      return gain(a) != gain(b) ? gain(a) > gain(b) : a < b;
    });
    order_.resize(f.detail);
    std::ranges::sort(order_);
  }
  double value = 0;
  Index next = 0;
  for (Index l = 0; l < c.size(); ++l) {
    const bool holds = next < order_.size() && order_[next] == l;
    next += holds ? 1 : 0;
    if (holds == literals[l].negated) continue;
    on.push_back(static_cast<std::uint32_t>(l));
    value += c[l];
  }
  return value;
}

double FactorMaximum::tree(const FactorGraphLayout& graph, const Factor& f,
                           std::span<const double> c, std::vector<std::uint32_t>& on) {
  const FactorGraphLayout::Tree& arcs = graph.tree(f);
  on.resize(arcs.words);
  const bool found = arcs.crossing == Crossing::kAllowed
                         ? crossing_.solve(arcs.graph(), c, arcs.roots, on)
                         : projective_.solve(arcs.graph(), c, arcs.roots, on);
  if (!found) {
    on.clear();
    return -kInfinity;
  }
  double value = 0;
  for (const std::uint32_t l : on) value += c[l];
  return value;
}

}  // namespace trellis
