#include "trellis/solve/arborescences/dense_arborescence.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

void DenseArborescence::begin(Index n, std::span<const double> scores) {
  n_ = n;
  num_root_arcs_ = 0;
  rows_.assign(scores.begin(), scores.end());
  entered_.resize(n * (n + 1));
  const Index nodes = 2 * n;
  for (auto* vector : {&slot_, &place_, &parent_, &chosen_, &enters_}) vector->resize(nodes);
  value_.resize(nodes);
  state_.assign(nodes, State::kUnseen);
  first_member_.assign(1, 0);
  members_.clear();
  top_.resize(n);
  for (Index m = 0; m < n; ++m) {
    slot_[m] = top_[m] = parent_[m] = static_cast<Node>(m);
    rows_[m * (n + 1) + m] = -kInfinity;
  }
}

// Finds the best arc into v. False if there is none, or if it would be a second forbidden root arc.
bool DenseArborescence::choose(Node v, Roots roots) {
  const double* scores = row(v);
  const Index heads = roots == Roots::kOne ? n_ : n_ + 1;
  double best = max_value({scores, heads});
  Index head = n_;
  if (best == -kInfinity && roots == Roots::kOne) {
    best = scores[n_];
    if (num_root_arcs_ > 0) return false;
  } else {
    head = static_cast<Index>(std::find(scores, scores + heads, best) - scores);
  }
  if (best == -kInfinity) return false;
  if (head == n_) ++num_root_arcs_;
  chosen_[v] = static_cast<std::uint32_t>(head);
  enters_[v] = v < n_ ? v : entries(v)[head];
  value_[v] = best;
  return true;
}

// Nodes connected to the root are final: no cycle can contain them.
void DenseArborescence::hang_path() {
  for (const Node v : path_) state_[v] = State::kHangs;
}

void DenseArborescence::subtract_choice(Node v) {
  double* scores = row(v);
  for (Index h = 0; h <= n_; ++h) scores[h] -= value_[v];
  if (v < n_) std::fill_n(entries(v), n_ + 1, v);
}

// The path from this position on is a cycle: it becomes one node, stored in the rows of its first.
void DenseArborescence::contract(Index from) {
  const auto set = static_cast<Node>(n_ + first_member_.size() - 1);
  const Node first = path_[from];
  subtract_choice(first);
  double* scores = row(first);
  std::uint32_t* entered = entries(first);
  for (Index i = from; i < path_.size(); ++i) {
    const Node v = path_[i];
    members_.push_back(v);
    parent_[v] = set;
    if (i == from) continue;
    const double* other = row(v);
    const std::uint32_t* words = entries(v);
    for (Index h = 0; h <= n_; ++h) {
      const double reduced = other[h] - value_[v];
      const bool better = reduced > scores[h];
      scores[h] = better ? reduced : scores[h];
      entered[h] = better ? (v < n_ ? v : words[h]) : entered[h];
    }
  }
  first_member_.push_back(members_.size());
  slot_[set] = slot_[first];
  parent_[set] = set;
  for (Index m = 0; m < n_; ++m) {
    if (parent_[top_[m]] == set) top_[m] = set;
    if (top_[m] == set) scores[m] = -kInfinity;
  }
  path_.resize(from);
  path_.push_back(set);
  place_[set] = static_cast<std::uint32_t>(from);
  state_[set] = State::kOnPath;
}

// Extends a path from `start` until it reaches the root. False if that is impossible.
bool DenseArborescence::follow(Node start, Roots roots) {
  path_.assign(1, start);
  place_[start] = 0;
  state_[start] = State::kOnPath;
  for (;;) {
    const Node end = path_.back();
    if (!choose(end, roots)) return false;
    if (chosen_[end] == n_) break;
    const Node next = top_[chosen_[end]];
    if (state_[next] == State::kHangs) break;
    if (state_[next] == State::kOnPath) {
      contract(place_[next]);
      continue;
    }
    place_[next] = static_cast<std::uint32_t>(path_.size());
    state_[next] = State::kOnPath;
    path_.push_back(next);
  }
  hang_path();
  return true;
}

// An arc into a set enters one of its words: the nodes that contain this word take the arc instead
// of their own, and all others within the set keep their arcs.
void DenseArborescence::expand(std::span<std::uint32_t> heads) {
  pending_.clear();
  for (Index m = 0; m < n_; ++m) {
    const Node v = top_[m];
    if (slot_[v] == m) pending_.push_back(v);
  }
  while (!pending_.empty()) {
    const Node v = pending_.back();
    pending_.pop_back();
    heads[enters_[v]] = chosen_[v];
    for (Node inner = enters_[v]; inner != v; inner = parent_[inner]) {
      const Index set = parent_[inner] - n_;
      for (Index i = first_member_[set]; i < first_member_[set + 1]; ++i) {
        if (members_[i] != inner) pending_.push_back(members_[i]);
      }
    }
  }
}

bool DenseArborescence::solve(Index n, std::span<const double> scores, Roots roots,
                              std::span<std::uint32_t> heads) {
  assert(scores.size() == n * (n + 1) && heads.size() == n);
  begin(n, scores);
  for (Index m = 0; m < n; ++m) {
    if (state_[top_[m]] != State::kHangs && !follow(top_[m], roots)) return false;
  }
  expand(heads);
  return true;
}

}  // namespace trellis
