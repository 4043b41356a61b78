// The state space of a chain of order k: label k-tuples, without the impossible ones.
//
// A state is the tuple of the last min(t+1, k) labels at position t. States are sorted by length,
// then lexicographically, so the successors of a state — the same tuple without its oldest label
// and with a new one — are adjacent: a transition table is a list of dense rows, and a step of
// dynamic programming is a sum of such rows (Lafferty et al. 2001 for k = 1; Martins et al. 2010
// sec. 2.2 for k-grams as tuples).
//
//   order 1, L labels:   L states,             L² transitions
//   order 2:             L + L² states,        L² + L³ transitions, minus the forbidden ones
//
// The L *initial* transitions (no history → first label) have ids 0 … L−1; those of state u follow
// as [transition_begin(u), transition_begin(u) + num_successors(u)).
//
// A tuple is possible if each of its labels may follow the previous one, and its first label may
// start a sequence (tuples shorter than k) or is reachable from a label that may.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/segment_matrix.h"

namespace trellis {

// Which labels may begin, follow one another and end. By default everything is allowed, and needs
// no memory; the first forbid() takes a byte for each pair of labels.
class TransitionRules {
 public:
  // Throws UsageError if a chain over this many labels would have too many transitions.
  explicit TransitionRules(Index num_labels);

  Index num_labels() const { return num_labels_; }
  void forbid_start(Label label);
  void forbid(Label from, Label to);
  void forbid_stop(Label label);
  bool may_start(Label label) const { return start_[static_cast<Index>(label)] != 0; }
  bool may_follow(Label from, Label to) const {
    return follow_.empty() || follow_[pair(from, to)] != 0;
  }
  bool may_stop(Label label) const { return stop_[static_cast<Index>(label)] != 0; }
  bool allows_everything() const;
  bool allows_all_pairs() const;

 private:
  Index pair(Label from, Label to) const {
    return static_cast<Index>(from) * num_labels_ + static_cast<Index>(to);
  }

  Index num_labels_;
  std::vector<std::uint8_t> start_, follow_, stop_;  // 1: allowed
};

class ChainStates {
 public:
  using State = std::uint32_t;
  static constexpr int kMaxOrder = 4;
  static constexpr Index kMaxTransitions = Index{1} << 28;

  // Throws UsageError unless 1 ≤ order ≤ kMaxOrder, there is a label, and the number of transitions
  // is below kMaxTransitions.
  explicit ChainStates(TransitionRules rules, int order = 1);

  int order() const { return order_; }
  Index num_labels() const { return rules_.num_labels(); }
  const TransitionRules& rules() const { return rules_; }
  Index num_states() const { return states_.size(); }
  Index num_transitions() const { return num_transitions_; }  // the initial ones included

  Label label(State u) const { return states_[u].label; }  // the newest label of the tuple
  int length(State u) const { return states_[u].length; }  // labels in the tuple
  std::span<const Label> tuple(State u) const;             // oldest first
  State first_successor(State u) const { return states_[u].first_successor; }
  Index num_successors(State u) const { return states_[u].num_successors; }
  Index transition_begin(State u) const { return states_[u].transition_begin; }
  // The states that are possible at position t: a contiguous range.
  State states_begin(Index t) const { return level_begin_[level(t) - 1]; }
  State states_end(Index t) const { return level_begin_[level(t)]; }

  // Order 1 cannot omit single pairs; they are marked here. Always true for order ≥ 2, except for
  // the initial transitions.
  bool allowed(Index transition) const {
    return transition >= allowed_.size() || allowed_[transition] != 0;
  }
  // The transitions in the tables that are not allowed, without the initial ones; ascending.
  std::span<const Index> forbidden() const { return forbidden_; }
  bool may_stop(State u) const { return rules_.may_stop(label(u)); }

  // The transition that appends `label` to state u, or kNone if that is not legal.
  static constexpr Index kNone = ~Index{0};
  Index transition(State u, Label label) const;
  State successor(State u, Label label) const;  // requires transition(u, label) != kNone

  // The step from position t−1 to t ≥ 1: rows are the states before, columns those after, entries
  // the table of all transitions. A group holds the states that differ only in their newest label;
  // its rows are in ascending order. Groups cover every state that is possible at t.
  SegmentMatrix step(Index t) const;
  // The group of `v` in step(t): its predecessors.
  const SegmentMatrix::Group& predecessors(Index t, State v) const {
    return groups_[steps_[level(t - 1) - 1].groups_begin + states_[v].group];
  }
  std::span<const SegmentMatrix::Row> rows(const SegmentMatrix::Group& group) const {
    return {rows_.data() + group.rows_begin, group.rows_end - group.rows_begin};
  }
  // The labels along the diagonal d of a step: that of column v is slots()[group.diagonal + v −
  // group.first_column]. It is 0 … L−1 if every group has all labels, and otherwise a concatenation
  // of such lists with gaps, one for each previous label.
  std::span<const Label> slots() const { return followers_; }
  bool slots_are_labels() const { return follower_begin_.empty(); }

 private:
  struct Entry {
    Index transition_begin = 0;
    Index tuple_begin = 0;
    State first_successor = 0;
    std::uint32_t num_successors = 0;
    std::uint32_t group = 0;  // among those of its length
    Label label = kNoLabel;
    int length = 0;
  };
  struct Step {
    Index groups_begin, groups_end;
  };

  // The length of the tuples at position t.
  Index level(Index t) const {
    return t + 1 < static_cast<Index>(order_) ? t + 1 : static_cast<Index>(order_);
  }
  void list_followers();
  std::vector<Label> reachable_labels() const;
  void check_size() const;
  void add_tuples(std::vector<Label> first_labels, int length);
  void connect();
  void mark_forbidden();
  void group_states();
  void add_step(int from_length);
  State first_with_prefix(std::span<const Label> prefix, int length) const;
  std::span<const Label> followers(Label label) const;
  bool is_source(State u) const;

  TransitionRules rules_;
  int order_;
  Index num_transitions_ = 0;
  std::vector<Entry> states_;
  std::vector<Label> tuples_;
  std::vector<State> level_begin_;  // first state of length 1, 2, …, and the end
  std::vector<std::uint8_t> allowed_;
  std::vector<Index> forbidden_;
  // The labels that follow label a in the tables: [follower_begin_[a], follower_begin_[a+1]), or
  // all if follower_begin_ is empty.
  std::vector<Label> followers_;
  std::vector<std::uint32_t> follower_begin_;
  std::vector<Step> steps_;  // from states of length 1, 2, …, k
  std::vector<SegmentMatrix::Group> groups_;
  std::vector<SegmentMatrix::Row> rows_;
};

}  // namespace trellis
