#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {

void PairwiseCuts::set_problem(std::span<const double> unary, std::span<const NodePair> pairs,
                               std::span<const double> coupling, std::span<const Label> truth) {
  if (coupling.size() != pairs.size() || truth.size() != unary.size()) {
    throw UsageError("expected one coupling for each pair and one true value for each label");
  }
  const bool same_graph = num_labels() == unary.size() &&
                          std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end());
  unary_ = unary;
  coupling_ = coupling;
  truth_ = truth;
  if (!same_graph || first_incident_.empty()) set_graph(pairs);
  level_ = 0;
  const Index labels = num_labels();
  if (supply_.size() < labels) supply_.resize(labels);
  if (state_.size() < labels) state_.resize(labels);
  if (capacity_.size() < pairs.size()) capacity_.resize(pairs.size());
  tilted_.resize(labels);
  size_ = 0;
  num_true_ = 0;
  for (Index v = 0; v < labels; ++v) {
    supply_[v] = unary[v];
    state_[v] = kFree;
    size_ += std::abs(unary[v]);
    num_true_ += truth[v] != 0 ? 1 : 0;
  }
  for (Index p = 0; p < pairs.size(); ++p) {
    if (!(coupling[p] >= 0)) {
      throw UsageError(fmt::format("labels {} and {} are coupled by {}: expected a number ≥ 0",
                                   pairs[p].j, pairs[p].k, coupling[p]));
    }
    const double half = coupling[p] / 2;
    capacity_[p] = half;
    supply_[pairs[p].j] += half;
    supply_[pairs[p].k] += half;
    size_ += coupling[p];
  }
}

void PairwiseCuts::set_graph(std::span<const NodePair> pairs) {
  max_flow_.set_graph(num_labels(), pairs);
  pairs_.assign(pairs.begin(), pairs.end());
  first_incident_.assign(num_labels() + 1, 0);
  for (const NodePair pair : pairs_) {
    ++first_incident_[pair.j + 1];
    ++first_incident_[pair.k + 1];
  }
  for (Index v = 0; v < num_labels(); ++v) first_incident_[v + 1] += first_incident_[v];
  incident_.resize(2 * pairs.size());
  std::vector<std::uint32_t> next(first_incident_.begin(), first_incident_.end() - 1);
  for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
    incident_[next[pairs_[p].j]++] = p;
    incident_[next[pairs_[p].k]++] = p;
  }
}

void PairwiseCuts::push() {
  const Index labels = num_labels(), pairs = pairs_.size();
  if (supply_.size() < (level_ + 2) * labels) supply_.resize((level_ + 2) * labels);
  if (state_.size() < (level_ + 2) * labels) state_.resize((level_ + 2) * labels);
  if (capacity_.size() < (level_ + 2) * pairs) capacity_.resize((level_ + 2) * pairs);
  std::copy_n(supply().begin(), labels, supply().begin() + static_cast<std::ptrdiff_t>(labels));
  std::copy_n(state().begin(), labels, state().begin() + static_cast<std::ptrdiff_t>(labels));
  std::copy_n(capacity().begin(), pairs, capacity().begin() + static_cast<std::ptrdiff_t>(pairs));
  ++level_;
}

void PairwiseCuts::pop() {
  assert(level_ > 0);
  --level_;
}

// A_vw y_v y_w is ½ A (y_v + y_w − [y_v ≠ y_w]) while both are free; A y_w or 0 once v is fixed.
void PairwiseCuts::fix(Index v, bool given) {
  assert(is_free(v));
  state()[v] = given ? 1 : 0;
  supply()[v] = 0;
  for (const std::uint32_t p : pairs_of(v)) {
    const Index w = other_end(p, v);
    if (is_free(w)) supply()[w] += given ? coupling_[p] / 2 : -coupling_[p] / 2;
    capacity()[p] = 0;
  }
}

CountedSet PairwiseCuts::maximize(double alpha, double mu, Set y) {
  const std::span<const double> supplies = supply();
  const std::span<const std::int8_t> states = state();
  for (Index v = 0; v < num_labels(); ++v) {
    tilted_[v] = states[v] == kFree ? supplies[v] + (is_true(v) ? alpha : mu) : 0;
  }
  const std::span<const double> capacities = capacity().first(pairs_.size());
  max_flow_.solve(tilted_, capacities, capacities);
  for (Index v = 0; v < num_labels(); ++v) {
    const bool given = states[v] == kFree ? max_flow_.on_source_side(v) : states[v] == 1;
    y[v] = given ? 1 : 0;
  }
  return count(y);
}

// Sums in the order of PairwiseLabelSet::score, to the same bits.
CountedSet PairwiseCuts::count(ConstSet y) const {
  CountedSet set;
  for (Index v = 0; v < num_labels(); ++v) {
    if (y[v] == 0) continue;
    set.score += unary_[v];
    ++(is_true(v) ? set.hits : set.others);
  }
  for (Index p = 0; p < pairs_.size(); ++p) {
    if (y[pairs_[p].j] != 0 && y[pairs_[p].k] != 0) set.score += coupling_[p];
  }
  return set;
}

}  // namespace trellis
