#include "trellis/structure/sequences/chain.h"

#include <algorithm>
#include <cassert>

#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

Chain::Chain(const ChainStates& states, Index length, Transitions transitions,
             std::span<const std::uint8_t> allowed)
    : states_(&states), length_(length), transitions_(transitions), allowed_(allowed) {
  assert(length >= 1);
  assert(allowed.empty() || allowed.size() == length * states.num_labels());
}

bool Chain::legal(const Output& y) const {
  const TransitionRules& rules = states_->rules();
  if (y.size() != length_) return false;
  for (Index t = 0; t < length_; ++t) {
    if (y[t] < 0 || static_cast<Index>(y[t]) >= states_->num_labels()) return false;
    if (!allows(t, y[t])) return false;
    if (!(t == 0 ? rules.may_start(y[t]) : rules.may_follow(y[t - 1], y[t]))) return false;
  }
  return rules.may_stop(y.back());
}

void Chain::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  auto u = static_cast<State>(y[0]);
  z[node_part(0, y[0])] = 1;
  z[transition_part(0, u)] = 1;
  for (Index t = 1; t < length_; ++t) {
    z[node_part(t, y[t])] = 1;
    z[transition_part(t, states_->transition(u, y[t]))] += 1;
    u = states_->successor(u, y[t]);
  }
  z[final_part(u)] = 1;
}

// The additions stand in the order of the forward recursion, so that the score of the best output
// has the bits of the maximum.
double Chain::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  auto u = static_cast<State>(y[0]);
  double sum = s[transition_part(0, u)] + s[node_part(0, y[0])];
  for (Index t = 1; t < length_; ++t) {
    sum += s[transition_part(t, states_->transition(u, y[t]))];
    sum += s[node_part(t, y[t])];
    u = states_->successor(u, y[t]);
  }
  return sum + s[final_part(u)];
}

void Chain::Passes::prepare(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == chain_.num_parts());
  const Index labels = states_->num_labels();
  scratch.first.resize(labels);
  for (State u = 0; u < labels; ++u) {
    const bool possible = states_->allowed(u) && allows(0, static_cast<Label>(u));
    scratch.first[u] = possible ? s[transition_part(0, u)] + s[u] : kImpossible;
  }
  Scratch::grow(scratch.stop, states_->num_states());
  for (State u = end_begin(); u < end_end(); ++u) {
    scratch.stop[u] = states_->may_stop(u) ? s[final_part(u)] : kImpossible;
  }
  prepare_nodes(s, scratch);
  prepare_tables(s, scratch);
}

void Chain::Passes::prepare_nodes(std::span<const double> s, Scratch& scratch) const {
  const std::span<const Label> slots = states_->slots();
  scratch.node = s.data();
  scratch.node_stride = slots.size();
  if (chain_.allowed_.empty() && states_->slots_are_labels()) return;
  Scratch::grow(scratch.node_copy, length_ * slots.size());
  double* out = scratch.node_copy.data();
  for (Index t = 0; t < length_; ++t) {
    for (const Label label : slots)
      *out++ = allows(t, label) ? s[node_part(t, label)] : kImpossible;
  }
  scratch.node = scratch.node_copy.data();
}

void Chain::Passes::prepare_tables(std::span<const double> s, Scratch& scratch) const {
  scratch.table = s.data() + transition_part(0, 0);
  if (states_->forbidden().empty()) return;
  const double* end = s.data() + final_part(0);
  scratch.table_copy.assign(scratch.table, end);
  for (double* table = scratch.table_copy.data(); scratch.table < end;
       scratch.table += states_->num_transitions(), table += states_->num_transitions()) {
    for (const Index transition : states_->forbidden()) table[transition] = kImpossible;
  }
  scratch.table = scratch.table_copy.data();
}

}  // namespace trellis
