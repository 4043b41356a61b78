#include "trellis/solve/factors/k_best_assignments.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace trellis {
namespace {

constexpr auto kWorse = [](const auto& a, const auto& b) { return a.best.score < b.best.score; };

// That variable v has the value, without states of which it is known already.
void require_value(const FactorGraphLayout& graph, Index v, std::uint32_t value,
                   std::vector<Literal>& required) {
  const auto add = [&](Index i, bool on) {
    const auto is_there = [&](const Literal& literal) { return literal.state == i; };
    if (std::ranges::none_of(required, is_there)) {
      required.push_back({static_cast<std::uint32_t>(i), !on});
    }
  };
  if (graph.is_switch(v)) return add(graph.state(v, 0), value == 1);
  for (Index k = 0; k < graph.arity(v); ++k) add(graph.state(v, k), k == value);
}

}  // namespace

void KBestAssignments::solve(const FactorGraphLayout& graph, std::span<const double> s, Index k,
                             MapSearch& search, std::vector<Result>& best) {
  best.clear();
  parts_.clear();
  top_.clear();
  k_ = k;
  if (k > 0) add_part(graph, s, search, {}, 0);
  while (!parts_.empty()) {
    std::ranges::pop_heap(parts_, kWorse);
    const Part part = std::move(parts_.back());
    parts_.pop_back();
    best.push_back(part.best);
    if (best.size() == k) break;
    divide(graph, s, search, part);
  }
  std::ranges::stable_sort(best,
                           [](const Result& a, const Result& b) { return a.score > b.score; });
}

void KBestAssignments::add_part(const FactorGraphLayout& graph, std::span<const double> s,
                                MapSearch& search, std::vector<Literal> required, Index num_same) {
  Part part{std::move(required), num_same, {}};
  const MapLimits limits{.above = top_.size() == k_ ? top_.front() : -kInfinity};
  part.best.score = search.solve(graph, s, part.required, part.best.values, limits).value;
  if (part.best.score == -kInfinity) return;
  remember(part.best.score);
  parts_.push_back(std::move(part));
  std::ranges::push_heap(parts_, kWorse);
}

void KBestAssignments::remember(double score) {
  top_.push_back(score);
  std::ranges::push_heap(top_, std::greater());
  if (top_.size() <= k_) return;
  std::ranges::pop_heap(top_, std::greater());
  top_.pop_back();
}

// By the first variable that differs from the best: those before it are as in the best.
void KBestAssignments::divide(const FactorGraphLayout& graph, std::span<const double> s,
                              MapSearch& search, const Part& part) {
  std::vector<Literal> required = part.required;
  for (Index v = part.num_same; v < graph.num_variables(); ++v) {
    const std::uint32_t value = part.best.values[v];
    const Index state = graph.state(v, graph.is_switch(v) ? 0 : value);
    const auto is_there = [&](const Literal& literal) { return literal.state == state; };
    if (std::ranges::none_of(required, is_there)) {
      std::vector<Literal> other = required;
      other.push_back({static_cast<std::uint32_t>(state), graph.is_switch(v) ? value == 1 : true});
      add_part(graph, s, search, std::move(other), v);
    }
    require_value(graph, v, value, required);
  }
}

}  // namespace trellis
