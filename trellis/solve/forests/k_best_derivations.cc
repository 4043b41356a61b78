#include "trellis/solve/forests/k_best_derivations.h"

#include <algorithm>
#include <cassert>

namespace trellis {

void KBestDerivations::begin(const PackedForest& forest, std::span<const double> s) {
  for (Index place = 0; place < num_asked_; ++place) places_[asked_[place].node] = 0;
  num_asked_ = 0;
  next_rank_ = 0;
  forest_ = &forest;
  s_ = s;
  any_ = best_.fill(forest, s) > -kInfinity;
  if (places_.size() < forest.num_nodes()) places_.resize(forest.num_nodes(), 0);
}

bool KBestDerivations::next(std::vector<std::uint32_t>& edges, double& score) {
  edges.clear();
  if (!any_) return false;
  const Request whole{static_cast<std::uint32_t>(forest_->num_nodes() - 1), next_rank_};
  if (!obtain(whole)) return false;
  ++next_rank_;
  score = value_at(whole.node, whole.rank);
  write(whole, edges);
  return true;
}

// Larger values first; of equal ones the smaller edge, then the smaller ranks.
bool KBestDerivations::comes_later(const Choice& x, const Choice& y) {
  if (x.value != y.value) return x.value < y.value;
  if (x.edge != y.edge) return x.edge > y.edge;
  return x.left != y.left ? x.left > y.left : x.right > y.right;
}

void KBestDerivations::push_valued(Asked& at, Choice choice) const {
  choice.value = value_of(choice, at.node);
  at.candidates.push_back(choice);
  std::push_heap(at.candidates.begin(), at.candidates.end(), comes_later);
}

// Extends the list of a node to this rank; false if the list ends earlier. Requests to other nodes
// are processed first, from a stack.
bool KBestDerivations::obtain(const Request& whole) {
  requests_.assign(1, whole);
  while (!requests_.empty()) {
    const Request request = requests_.back();
    Asked& at = asked(request.node);
    if (at.best.size() > request.rank || at.exhausted) {
      requests_.pop_back();
    } else if (at.pending) {
      at.pending = !push_successors(at);
    } else if (at.candidates.empty()) {
      at.exhausted = true;
    } else {
      std::pop_heap(at.candidates.begin(), at.candidates.end(), comes_later);
      at.best.push_back(at.candidates.back());
      at.candidates.pop_back();
      at.pending = true;
    }
  }
  return asked(whole.node).best.size() > whole.rank;
}

// The first candidates, an edge each, need no other node.
KBestDerivations::Asked& KBestDerivations::asked(std::uint32_t node) {
  if (places_[node] != 0) return asked_[places_[node] - 1];
  if (num_asked_ == asked_.size()) asked_.emplace_back();
  Asked& at = asked_[num_asked_++];
  places_[node] = static_cast<std::uint32_t>(num_asked_);
  at.node = node;
  at.best.clear();
  at.candidates.clear();
  at.pending = at.exhausted = false;
  for (Index edge = forest_->begin(node); edge < forest_->end(node); ++edge) {
    const double value = best_.value_by(edge, node);
    if (value > -kInfinity) {
      at.candidates.push_back({value, static_cast<std::uint32_t>(edge), 0, 0});
    }
  }
  std::make_heap(at.candidates.begin(), at.candidates.end(), comes_later);
  return at;
}

// The next rank of either tail; of the right one only from left = 0, so that each pair of ranks has
// one predecessor. False if it had to make a request; then it pushed nothing.
bool KBestDerivations::push_successors(Asked& at) {
  const Choice last = at.best.back();
  const auto [left, right] = forest_->tails(last.edge);
  Choice further_left = last, further_right = last;
  const Supply from_left = supply(left, ++further_left.left);
  if (from_left == Supply::kUnknown) return false;
  const Supply from_right = last.left == 0 ? supply(right, ++further_right.right) : Supply::kNone;
  if (from_right == Supply::kUnknown) return false;
  if (from_left == Supply::kReady) push_valued(at, further_left);
  if (from_right == Supply::kReady) push_valued(at, further_right);
  return true;
}

// Whether a node has this rank; requests it if that is unknown.
KBestDerivations::Supply KBestDerivations::supply(std::uint32_t node, std::uint32_t rank) {
  if (node == kNoNode) return Supply::kNone;
  const Asked& at = asked(node);
  if (at.best.size() > rank) return Supply::kReady;
  if (at.exhausted) return Supply::kNone;
  requests_.push_back({node, rank});
  return Supply::kUnknown;
}

double KBestDerivations::value_at(std::uint32_t node, std::uint32_t rank) const {
  return rank == 0 ? best_.value(node) : asked_[places_[node] - 1].best[rank].value;
}

double KBestDerivations::value_of(const Choice& choice, std::uint32_t node) const {
  const auto [left, right] = forest_->tails(choice.edge);
  const double below = value_at(left, choice.left) + value_at(right, choice.right);
  return (s_[forest_->num_nodes() + choice.edge] + below) + s_[node];
}

// A node without requests stands for its best derivation.
KBestDerivations::Choice KBestDerivations::choice_at(const Request& request) const {
  const std::uint32_t place = places_[request.node];
  if (place != 0 && asked_[place - 1].best.size() > request.rank) {
    return asked_[place - 1].best[request.rank];
  }
  assert(request.rank == 0);
  return {0, best_.first_best_edge(request.node), 0, 0};
}

void KBestDerivations::write(const Request& whole, std::vector<std::uint32_t>& edges) {
  open_.assign(1, whole);
  while (!open_.empty()) {
    const Choice choice = choice_at(open_.back());
    open_.pop_back();
    edges.push_back(choice.edge);
    const auto [left, right] = forest_->tails(choice.edge);
    if (right != kNoNode) open_.push_back({right, choice.right});
    if (left != kNoNode) open_.push_back({left, choice.left});
  }
}

}  // namespace trellis
