#include "trellis/structure/sets/label_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kNoBase = std::numeric_limits<Index>::max();

// values ← exp(−|s|): the odds of the less likely answer, in (0, 1].
std::span<const double> odds(std::span<const double> s, std::vector<double>& values) {
  values.resize(s.size());
  for (Index v = 0; v < s.size(); ++v) values[v] = -std::abs(s[v]);
  exp_shifted(values, 0, values);
  return values;
}

// 1 / (1 + exp(−s)), without cancellation on either side.
double logistic(double s, double odds) {
  return (s > 0 ? 1 : odds) / (1 + odds);
}

}  // namespace

bool LabelSet::legal(const Output& y) const {
  return y.size() == num_items_ &&
         std::all_of(y.begin(), y.end(), [](Label label) { return label == 0 || label == 1; });
}

void LabelSet::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_items_);
  std::copy(y.begin(), y.end(), z.begin());
}

double LabelSet::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_items_);
  return chosen_sum(s, y);
}

double LabelSet::maximize(std::span<const double> s, Scratch&, Output& y) const {
  assert(s.size() == num_items_);
  y.resize(num_items_);
  for (Index v = 0; v < num_items_; ++v) y[v] = s[v] > 0 ? 1 : 0;
  return score(s, y);
}

// Every set of ranks {r_1 < … < r_m} has one parent of no greater cost: with the last rank one
// less, or without it where r_m follows r_{m−1}, or is 0. So each set is reached once, from
// cheapest to dearest. Costs are sums in the order of ranks, which rounding leaves in order.
void LabelSet::k_best(std::span<const double> s, Index k, Scratch& scratch,
                      std::vector<ScoredOutput<Output>>& best) const {
  std::vector<Index>& order = scratch.order;
  order.resize(num_items_);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const double cost_a = std::abs(s[a]), cost_b = std::abs(s[b]);
    return cost_a != cost_b ? cost_a < cost_b : a < b;
  });
  auto& changes = scratch.changes;
  std::vector<Index>& heap = scratch.heap;
  changes.clear();
  heap.clear();
  const auto dearer = [&](Index a, Index b) {
    return changes[a].cost != changes[b].cost ? changes[a].cost > changes[b].cost : a > b;
  };
  const auto push = [&](Index base, double base_cost, Index last) {
    if (last >= num_items_) return;
    changes.push_back({base_cost + std::abs(s[order[last]]), base_cost, base, last});
    heap.push_back(changes.size() - 1);
    std::push_heap(heap.begin(), heap.end(), dearer);
  };
  best.clear();
  if (k == 0) return;
  best.emplace_back();
  best[0].score = maximize(s, scratch, best[0].output);
  push(kNoBase, 0, 0);
  while (best.size() < k && !heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), dearer);
    const Index at = heap.back();
    heap.pop_back();
    ScoredOutput<Output> next{best[0].output, 0};
    for (Index node = at; node != kNoBase; node = changes[node].base) {
      Label& label = next.output[order[changes[node].last]];
      label = 1 - label;
    }
    next.score = score(s, next.output);
    best.push_back(std::move(next));
    const LabelSetScratch::Change change = changes[at];
    push(at, change.cost, change.last + 1);
    push(change.base, change.base_cost, change.last + 1);
  }
  // Costs and scores are rounded differently.
  std::stable_sort(best.begin(), best.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
}

double LabelSet::log_partition(std::span<const double> s, Scratch& scratch,
                               std::span<double> marginals) const {
  assert(marginals.size() == num_items_);
  const double value = log_partition(s, scratch);
  for (Index v = 0; v < num_items_; ++v) marginals[v] = logistic(s[v], scratch.values[v]);
  return value;
}

double LabelSet::log_partition(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_items_);
  const std::span<const double> less_likely = odds(s, scratch.values);
  double sum = 0;
  for (Index v = 0; v < num_items_; ++v) {
    sum += std::max(s[v], 0.0) + portable_log1p(less_likely[v]);
  }
  return sum;
}

// Of an item with odds e = exp(−|s|): log(1 + e) + |s| e / (1 + e), two terms ≥ 0.
double LabelSet::entropy(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_items_);
  const std::span<const double> less_likely = odds(s, scratch.values);
  double sum = 0;
  for (Index v = 0; v < num_items_; ++v) {
    const double e = less_likely[v];
    sum += portable_log1p(e) + std::abs(s[v]) * (e / (1 + e));
  }
  return sum;
}

void LabelSet::sample(std::span<const double> s, Random& random, Scratch& scratch,
                      Output& y) const {
  assert(s.size() == num_items_);
  const std::span<const double> less_likely = odds(s, scratch.values);
  y.resize(num_items_);
  for (Index v = 0; v < num_items_; ++v) {
    y[v] = random.uniform() < logistic(s[v], less_likely[v]) ? 1 : 0;
  }
}

void LabelSet::project(std::span<const double> v, Scratch&, std::span<double> z) const {
  assert(v.size() == num_items_ && z.size() == num_items_);
  for (Index p = 0; p < num_items_; ++p) z[p] = std::clamp(v[p], 0.0, 1.0);
}

LinearProgram LabelSet::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_items_;
  program.upper_bounds.assign(num_items_, 1.0);
  return program;
}

}  // namespace trellis
