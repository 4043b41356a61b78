// The state space of a chain of order k: label k-tuples, without those that cannot occur.
//
// A state is the tuple of the last min(t+1, k) labels at position t. States are sorted by length,
// then lexicographically, so the successors of a state — the same tuple without its oldest label
// and with a new one — are neighbours: a transition table is a list of dense rows, and a step of
// dynamic programming is a sum of such rows (Lafferty et al. 2001 for k = 1; seed 001 sec. 2.2 for
// k-grams as tuples).
//
//   order 1, L labels:   L states,             L² transitions
//   order 2:             L + L² states,        L² + L³ transitions, less what is forbidden
//
// The L *initial* transitions (no history → first label) have ids 0 … L−1; those of state u follow
// as [transition_begin(u), transition_begin(u) + num_successors(u)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Which labels may begin, follow one another and end. Everything is allowed at first.
class TransitionRules {
 public:
  explicit TransitionRules(Index num_labels);

  Index num_labels() const { return num_labels_; }
  void forbid_start(Label label);
  void forbid(Label from, Label to);
  void forbid_stop(Label label);
  bool may_start(Label label) const;
  bool may_follow(Label from, Label to) const;
  bool may_stop(Label label) const;
  bool allows_everything() const;

 private:
  Index num_labels_;
  std::vector<std::uint8_t> start_, follow_, stop_;  // 1: allowed
};

class ChainStates {
 public:
  using State = std::uint32_t;
  static constexpr int kMaxOrder = 4;
  static constexpr Index kMaxTransitions = Index{1} << 28;

  // Throws UsageError unless 1 ≤ order ≤ kMaxOrder, there is a label, and the number of transitions
  // stays below kMaxTransitions.
  ChainStates(TransitionRules rules, int order = 1);

  int order() const { return order_; }
  Index num_labels() const { return rules_.num_labels(); }
  const TransitionRules& rules() const { return rules_; }
  Index num_states() const { return states_.size(); }
  Index num_transitions() const { return allowed_.size(); }  // the initial ones included

  Label label(State u) const { return states_[u].label; }           // the newest label of the tuple
  int length(State u) const { return states_[u].length; }           // labels in the tuple
  std::span<const Label> tuple(State u) const;                      // oldest first
  State first_successor(State u) const { return states_[u].first_successor; }
  Index num_successors(State u) const { return states_[u].num_successors; }
  Index transition_begin(State u) const { return states_[u].transition_begin; }
  // The states that can stand at position t: a contiguous range.
  State states_begin(Index t) const;
  State states_end(Index t) const;

  // Order 1 cannot leave out single pairs; they are marked here. Always true for order ≥ 2, but for
  // the initial transitions.
  bool allowed(Index transition) const { return allowed_[transition] != 0; }
  bool may_stop(State u) const { return rules_.may_stop(label(u)); }

  // The transition that appends `label` to state u (u's successor by it is first_successor + offset),
  // or nothing that is legal: then kNone.
  static constexpr Index kNone = ~Index{0};
  Index transition(State u, Label label) const;
  State successor(State u, Label label) const;  // requires transition(u, label) != kNone

 private:
  struct Entry {
    Index transition_begin;
    State first_successor;
    std::uint32_t num_successors;
    Label label;
    int length;
    Index tuple_begin;
  };
  TransitionRules rules_;
  int order_;
  std::vector<Entry> states_;
  std::vector<Label> tuples_;
  std::vector<std::uint8_t> allowed_;
  std::vector<State> length_begin_;  // first state of length 1, 2, …, and the end
};

}  // namespace trellis
