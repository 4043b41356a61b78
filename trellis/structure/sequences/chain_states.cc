#include "trellis/structure/sequences/chain_states.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

TransitionRules::TransitionRules(Index num_labels)
    : num_labels_(num_labels), start_(), follow_(), stop_() {
  if (num_labels >= ChainStates::kMaxTransitions / std::max(num_labels, Index{1})) {
    throw UsageError("a chain over " + std::to_string(num_labels) +
                     " labels has too many transitions");
  }
  start_.assign(num_labels, 1);
  stop_.assign(num_labels, 1);
}

void TransitionRules::forbid_start(Label label) {
  start_.at(static_cast<Index>(label)) = 0;
}

void TransitionRules::forbid(Label from, Label to) {
  if (follow_.empty()) follow_.assign(num_labels_ * num_labels_, 1);
  follow_.at(pair(from, to)) = 0;
}

void TransitionRules::forbid_stop(Label label) {
  stop_.at(static_cast<Index>(label)) = 0;
}

bool TransitionRules::allows_all_pairs() const {
  return std::find(follow_.begin(), follow_.end(), 0) == follow_.end();
}

bool TransitionRules::allows_everything() const {
  return allows_all_pairs() && std::find(start_.begin(), start_.end(), 0) == start_.end() &&
         std::find(stop_.begin(), stop_.end(), 0) == stop_.end();
}

ChainStates::ChainStates(TransitionRules rules, int order)
    : rules_(std::move(rules)), order_(order) {
  if (order < 1 || order > kMaxOrder) {
    throw UsageError("a chain has order 1 to " + std::to_string(kMaxOrder) + ", not " +
                     std::to_string(order));
  }
  if (num_labels() == 0) throw UsageError("a chain needs at least one label");
  list_followers();
  check_size();

  std::vector<Label> labels(num_labels());
  std::iota(labels.begin(), labels.end(), Label{0});
  std::vector<Label> starts;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(starts),
               [this](Label label) { return rules_.may_start(label); });

  level_begin_.push_back(0);
  add_tuples(labels, 1);
  for (int length = 2; length < order_; ++length) add_tuples(starts, length);
  if (order_ > 1) add_tuples(reachable_labels(), order_);
  connect();
  group_states();
  for (int length = 1; length <= order_; ++length) add_step(length);
}

// Order 1 keeps its table dense, so every label has all followers and allowed_ marks the legal
// ones; from order 2 on, the table omits illegal followers.
void ChainStates::list_followers() {
  const auto num = static_cast<Label>(num_labels());
  if (order_ == 1 || rules_.allows_all_pairs()) {
    followers_.resize(num_labels());
    std::iota(followers_.begin(), followers_.end(), Label{0});
    return;
  }
  follower_begin_.push_back(0);
  for (Label from = 0; from < num; ++from) {
    for (Label to = 0; to < num; ++to) {
      if (rules_.may_follow(from, to)) followers_.push_back(to);
    }
    follower_begin_.push_back(static_cast<std::uint32_t>(followers_.size()));
  }
}

std::span<const Label> ChainStates::followers(Label label) const {
  if (follower_begin_.empty()) return followers_;
  const auto a = static_cast<Index>(label);
  return {followers_.data() + follower_begin_[a], follower_begin_[a + 1] - follower_begin_[a]};
}

// The labels that can occur at all, ascending.
std::vector<Label> ChainStates::reachable_labels() const {
  std::vector<std::uint8_t> seen(num_labels(), 0);
  std::vector<Label> found;
  const auto visit = [&](Label label) {
    if (seen[static_cast<Index>(label)] == 0) {
      seen[static_cast<Index>(label)] = 1;
      found.push_back(label);
    }
  };
  for (Label label = 0; label < static_cast<Label>(num_labels()); ++label) {
    if (rules_.may_start(label)) visit(label);
  }
  for (Index next = 0; next < found.size(); ++next) {
    for (const Label to : followers(found[next])) visit(to);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Counts the transitions before a tuple is made: walks of 1, 2, … labels by their last label.
void ChainStates::check_size() const {
  Index total = num_labels();
  const auto count = [&](std::span<const Label> first_labels, int length) {
    std::vector<Index> walks(num_labels(), 0);
    for (const Label label : first_labels) walks[static_cast<Index>(label)] = 1;
    for (int step = 0; step < length; ++step) {
      std::vector<Index> longer(num_labels(), 0);
      Index sum = 0;
      for (Index from = 0; from < num_labels(); ++from) {
        for (const Label to : followers(static_cast<Label>(from))) {
          longer[static_cast<Index>(to)] += walks[from];
          sum += walks[from];
        }
      }
      if (sum >= kMaxTransitions) {
        total = kMaxTransitions;
        return;
      }
      walks.swap(longer);
      if (step + 1 == length) total += sum;
    }
  };

  std::vector<Label> starts;
  for (Label label = 0; label < static_cast<Label>(num_labels()); ++label) {
    if (order_ == 1 || rules_.may_start(label)) starts.push_back(label);
  }
  const std::vector<Label> reachable = order_ == 1 ? starts : reachable_labels();
  for (int length = 1; length < order_ && total < kMaxTransitions; ++length) count(starts, length);
  if (total < kMaxTransitions) count(reachable, order_);
  if (total >= kMaxTransitions) {
    throw UsageError("a chain of order " + std::to_string(order_) + " over " +
                     std::to_string(num_labels()) + " labels has too many transitions (at most " +
                     std::to_string(kMaxTransitions) + ")");
  }
}

// Appends the states of one length, in lexicographic order: walks from `first_labels`.
void ChainStates::add_tuples(std::vector<Label> first_labels, int length) {
  std::vector<Label> walks = std::move(first_labels);
  for (Index size = 1; size < static_cast<Index>(length); ++size) {
    std::vector<Label> longer;
    for (Index begin = 0; begin < walks.size(); begin += size) {
      const auto walk = walks.begin() + static_cast<std::ptrdiff_t>(begin);
      for (const Label next : followers(walks[begin + size - 1])) {
        longer.insert(longer.end(), walk, walk + static_cast<std::ptrdiff_t>(size));
        longer.push_back(next);
      }
    }
    walks.swap(longer);
  }
  for (Index begin = 0; begin < walks.size(); begin += static_cast<Index>(length)) {
    Entry entry;
    entry.tuple_begin = tuples_.size() + begin;
    entry.label = walks[begin + static_cast<Index>(length) - 1];
    entry.length = length;
    states_.push_back(entry);
  }
  tuples_.insert(tuples_.end(), walks.begin(), walks.end());
  level_begin_.push_back(static_cast<State>(states_.size()));
}

std::span<const Label> ChainStates::tuple(State u) const {
  return {tuples_.data() + states_[u].tuple_begin, static_cast<Index>(states_[u].length)};
}

ChainStates::State ChainStates::first_with_prefix(std::span<const Label> prefix, int length) const {
  const auto level = static_cast<Index>(length);
  State low = level_begin_[level - 1];
  State high = level_begin_[level];
  while (low < high) {
    const State middle = low + (high - low) / 2;
    const std::span<const Label> head = tuple(middle).first(prefix.size());
    const bool before =
        std::lexicographical_compare(head.begin(), head.end(), prefix.begin(), prefix.end());
    (before ? low : high) = before ? middle + 1 : middle;
  }
  return low;
}

// From order 2 on, a single label stands for the beginning of a sequence, and leads nowhere if it
// may not start one.
bool ChainStates::is_source(State u) const {
  return order_ == 1 || length(u) > 1 || rules_.may_start(label(u));
}

// Numbers the transitions and points each state to its successors.
void ChainStates::connect() {
  num_transitions_ = num_labels();
  for (State u = 0; u < num_labels(); ++u) allowed_.push_back(rules_.may_start(label(u)) ? 1 : 0);
  for (State u = 0; u < num_states(); ++u) {
    Entry& entry = states_[u];
    entry.transition_begin = num_transitions_;
    if (!is_source(u)) continue;
    const bool full = entry.length == order_;
    const std::span<const Label> kept = full ? tuple(u).subspan(1) : tuple(u);
    entry.num_successors = static_cast<std::uint32_t>(followers(entry.label).size());
    entry.first_successor = first_with_prefix(kept, full ? order_ : entry.length + 1);
    num_transitions_ += entry.num_successors;
  }
  if (order_ == 1 && !rules_.allows_all_pairs()) mark_forbidden();
}

void ChainStates::mark_forbidden() {
  for (State u = 0; u < num_states(); ++u) {
    for (const Label to : followers_) {
      const bool follows = rules_.may_follow(label(u), to);
      if (!follows) forbidden_.push_back(allowed_.size());
      allowed_.push_back(follows ? 1 : 0);
    }
  }
}

// Gives the states of each length their group: those that differ in the newest label alone.
void ChainStates::group_states() {
  for (State u = 1; u < num_states(); ++u) {
    if (length(u) != length(u - 1)) continue;
    const auto prefix = static_cast<Index>(length(u)) - 1;
    const std::span<const Label> mine = tuple(u).first(prefix), before = tuple(u - 1).first(prefix);
    const bool same = std::equal(mine.begin(), mine.end(), before.begin());
    states_[u].group = states_[u - 1].group + (same ? 0 : 1);
  }
}

// The groups of the states that follow those of `from_length` labels, and in each the rows that
// lead there.
void ChainStates::add_step(int from_length) {
  const auto from = static_cast<Index>(from_length);
  const Index to = std::min(from + 1, static_cast<Index>(order_));
  Step step{groups_.size(), groups_.size()};
  for (State v = level_begin_[to - 1]; v < level_begin_[to]; ++v) {
    if (v == level_begin_[to - 1] || states_[v].group != states_[v - 1].group) {
      const std::span<const Label> labels = tuple(v);
      const Index previous = to == 1 ? 0 : static_cast<Index>(labels[labels.size() - 2]);
      groups_.push_back({v, 0, 0, 0, slots_are_labels() ? 0 : follower_begin_[previous]});
    }
    ++groups_.back().width;
  }
  step.groups_end = groups_.size();
  steps_.push_back(step);

  const auto group_of = [&](State u) -> SegmentMatrix::Group& {
    return groups_[step.groups_begin + states_[first_successor(u)].group];
  };
  const State begin = level_begin_[from - 1], end = level_begin_[from];
  for (State u = begin; u < end; ++u) {
    if (num_successors(u) > 0) ++group_of(u).rows_end;
  }
  auto next = static_cast<std::uint32_t>(rows_.size());
  for (Index g = step.groups_begin; g < step.groups_end; ++g) {
    const std::uint32_t size = groups_[g].rows_end;
    groups_[g].rows_begin = groups_[g].rows_end = next;
    next += size;
  }
  rows_.resize(next);
  for (State u = begin; u < end; ++u) {
    if (num_successors(u) == 0) continue;
    rows_[group_of(u).rows_end++] = {u, static_cast<std::uint32_t>(transition_begin(u))};
  }
}

SegmentMatrix ChainStates::step(Index t) const {
  assert(t > 0);
  const Step& step = steps_[level(t - 1) - 1];
  return {{groups_.data() + step.groups_begin, step.groups_end - step.groups_begin}, rows_};
}

Index ChainStates::transition(State u, Label label) const {
  if (!is_source(u)) return kNone;
  const std::span<const Label> labels = followers(this->label(u));
  const auto found = std::lower_bound(labels.begin(), labels.end(), label);
  if (found == labels.end() || *found != label) return kNone;
  const Index transition = transition_begin(u) + static_cast<Index>(found - labels.begin());
  return allowed(transition) ? transition : kNone;
}

ChainStates::State ChainStates::successor(State u, Label label) const {
  const std::span<const Label> labels = followers(this->label(u));
  const auto found = std::lower_bound(labels.begin(), labels.end(), label);
  assert(found != labels.end() && *found == label);
  return first_successor(u) + static_cast<State>(found - labels.begin());
}

}  // namespace trellis
