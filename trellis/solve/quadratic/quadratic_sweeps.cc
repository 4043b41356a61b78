#include "trellis/solve/quadratic/quadratic_sweeps.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace trellis {
namespace {

// The largest shares of a node's edges, descending.
class TopShares {
 public:
  static constexpr Index kMost = 16;

  explicit TopShares(Index capacity) : capacity_(capacity) { assert(capacity <= kMost); }

  void add(double share) {
    if (size_ == capacity_ && share <= values_[size_ - 1]) return;
    Index i = size_ < capacity_ ? size_++ : size_ - 1;
    for (; i > 0 && values_[i - 1] < share; --i) values_[i] = values_[i - 1];
    values_[i] = share;
  }
  Index size() const { return size_; }
  double operator[](Index i) const { return values_[i]; }

 private:
  Index capacity_, size_ = 0;
  std::array<double, kMost> values_;
};

double best_of_node(const QuadraticProblem& problem, Index node) {
  TopShares top(problem.capacity[node]);
  for (Index place = problem.node_begin[node]; place < problem.node_begin[node + 1]; ++place) {
    top.add(problem.place_share[place]);
  }
  double sum = 0;
  for (Index i = 0; i < top.size(); ++i) sum += std::max(0.0, top[i] - problem.step(node, i));
  return sum;
}

// δ of the edge at a place of a node.
double node_message(const QuadraticProblem& problem, Index node, Index place) {
  const Index first = problem.node_begin[node], last = problem.node_begin[node + 1];
  const double* const share = problem.place_share.data();
  if (problem.capacity[node] == 1) {
    double largest = problem.step(node, 0);
    for (Index i = first; i < place; ++i) largest = std::max(largest, share[i]);
    for (Index i = place + 1; i < last; ++i) largest = std::max(largest, share[i]);
    return -largest;
  }
  TopShares top(problem.capacity[node]);
  for (Index i = first; i < last; ++i) {
    if (i != place) top.add(share[i]);
  }
  double with = -problem.step(node, 0), without = 0;
  for (Index i = 0; i < top.size(); ++i) {
    without += std::max(0.0, top[i] - problem.step(node, i));
    if (i + 1 < problem.capacity[node]) with += std::max(0.0, top[i] - problem.step(node, i + 1));
  }
  return with - without;
}

double pair_message(const QuadraticProblem& problem, std::uint32_t slot) {
  const double score = problem.pair_scores[slot / 2];
  return std::clamp(score + problem.slot_share[slot ^ 1U], 0.0, score);
}

// One edge of a pass: messages in, belief, shares out.
class EdgeUpdate {
 public:
  EdgeUpdate(QuadraticProblem& problem, Index e, SweepDirection direction)
      : problem_(problem), e_(e), forward_(direction == SweepDirection::kForward) {}

  double belief() {
    double sum = problem_.scores[e_];
    for (Index end = 0; end < 2; ++end) {
      const std::uint32_t node = problem_.nodes[e_][end], place = problem_.places[e_][end];
      node_messages_[end] = node_message(problem_, node, place);
      count(place > problem_.node_begin[node], place + 1 < problem_.node_begin[node + 1]);
      receive(node_messages_[end], problem_.place_share[place], sum);
    }
    for (const std::uint32_t slot : slots()) {
      count(problem_.partner(slot) < e_, problem_.partner(slot) > e_);
      receive(pair_message(problem_, slot), problem_.slot_share[slot], sum);
    }
    own_ += problem_.scores[e_];
    got_ += std::max(0.0, own_);
    return sum;
  }
  // What the bound loses by this update.
  double fall(double belief) const { return std::max(0.0, got_ - std::max(0.0, belief)); }

  void share_out(double belief) {
    const double portion = belief / static_cast<double>(std::max({before_, after_, Index{1}}));
    for (Index end = 0; end < 2; ++end) {
      const std::uint32_t node = problem_.nodes[e_][end], place = problem_.places[e_][end];
      const bool to_come =
          forward_ ? place + 1 < problem_.node_begin[node + 1] : place > problem_.node_begin[node];
      problem_.place_share[place] = (to_come ? portion : 0.0) - node_messages_[end];
    }
    for (const std::uint32_t slot : slots()) {
      const std::uint32_t other = problem_.partner(slot);
      const bool to_come = forward_ ? other > e_ : other < e_;
      problem_.slot_share[slot] = (to_come ? portion : 0.0) - pair_message(problem_, slot);
    }
  }

 private:
  std::span<const std::uint32_t> slots() const {
    return std::span(problem_.edge_slots)
        .subspan(problem_.slot_begin[e_], problem_.slot_begin[e_ + 1] - problem_.slot_begin[e_]);
  }
  void count(bool has_before, bool has_after) {
    before_ += has_before ? 1 : 0;
    after_ += has_after ? 1 : 0;
  }
  void receive(double message, double share, double& sum) {
    sum += message;
    own_ -= share;
    got_ += std::max(0.0, message + share);
  }

  QuadraticProblem& problem_;
  Index e_;
  bool forward_;
  std::array<double, 2> node_messages_{};
  Index before_ = 0, after_ = 0;  // nodes and pairs with edges before and after this one
  double own_ = 0;                // r_e
  double got_ = 0;                // the sum of the positive max-marginals
};

}  // namespace

double quadratic_bound(const QuadraticProblem& problem) {
  double bound = 0;
  for (Index n = 0; n < problem.num_nodes(); ++n) bound += best_of_node(problem, n);
  for (Index p = 0; p < problem.num_pairs(); ++p) {
    const double a = problem.slot_share[2 * p], b = problem.slot_share[2 * p + 1];
    bound += std::max({0.0, a, b, a + b + problem.pair_scores[p]});
  }
  for (Index e = 0; e < problem.num_edges(); ++e) {
    double own = problem.scores[e];
    for (const std::uint32_t place : problem.places[e]) own -= problem.place_share[place];
    for (Index i = problem.slot_begin[e]; i < problem.slot_begin[e + 1]; ++i) {
      own -= problem.slot_share[problem.edge_slots[i]];
    }
    bound += std::max(0.0, own);
  }
  return bound;
}

bool sweep(QuadraticProblem& problem, SweepDirection direction, double enough, double& bound,
           std::span<double> beliefs, std::span<EdgeState> states) {
  const Index edges = problem.num_edges();
  bool decided = false;
  for (Index i = 0; i < edges; ++i) {
    const Index e = direction == SweepDirection::kForward ? i : edges - 1 - i;
    EdgeUpdate update(problem, e, direction);
    const double belief = update.belief();
    bound -= update.fall(belief);
    beliefs[e] = belief;
    if (states[e] == EdgeState::kFree && bound - std::abs(belief) <= enough) {
      states[e] = belief > 0 ? EdgeState::kIn : EdgeState::kOut;
      decided = true;
    }
    update.share_out(belief);
  }
  return decided;
}

}  // namespace trellis
