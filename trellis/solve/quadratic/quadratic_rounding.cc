#include "trellis/solve/quadratic/quadratic_rounding.h"

#include <algorithm>

namespace trellis {

void QuadraticRounding::begin(const QuadraticProblem& problem) {
  problem_ = &problem;
  chosen_.assign(problem.num_edges(), 0);
  used_.assign(problem.num_nodes(), 0);
  value_ = 0;
}

double QuadraticRounding::pairs_of(Index e) const {
  double sum = 0;
  for (Index i = problem_->slot_begin[e]; i < problem_->slot_begin[e + 1]; ++i) {
    const std::uint32_t slot = problem_->edge_slots[i];
    if (chosen_[problem_->partner(slot)] != 0) sum += problem_->pair_scores[slot / 2];
  }
  return sum;
}

// Returns what is won.
double QuadraticRounding::add(Index e) {
  double won = problem_->scores[e] + pairs_of(e);
  for (const std::uint32_t node : problem_->nodes[e]) won -= problem_->step(node, used_[node]++);
  chosen_[e] = 1;
  return won;
}

double QuadraticRounding::remove(Index e) {
  chosen_[e] = 0;
  double won = -problem_->scores[e] - pairs_of(e);
  for (const std::uint32_t node : problem_->nodes[e]) won += problem_->step(node, --used_[node]);
  return won;
}

// The chosen edge of a node that contributes least.
std::uint32_t QuadraticRounding::weakest(Index node) const {
  std::uint32_t found = QuadraticProblem::kNone;
  double least = kInfinity;
  for (Index place = problem_->node_begin[node]; place < problem_->node_begin[node + 1]; ++place) {
    const std::uint32_t e = problem_->place_edge[place];
    if (chosen_[e] == 0) continue;
    const double worth = problem_->scores[e] + pairs_of(e);
    if (worth < least) {
      least = worth;
      found = e;
    }
  }
  return found;
}

// Drops e, or takes it in place of the weakest edges where its nodes are full.
QuadraticRounding::Flip QuadraticRounding::flip_edge(Index e) {
  constexpr std::uint32_t kNone = QuadraticProblem::kNone;
  Flip flip{static_cast<std::uint32_t>(e), {kNone, kNone}, 0};
  if (chosen(e)) {
    flip.won = remove(e);
    return flip;
  }
  for (Index end = 0; end < 2; ++end) {
    const std::uint32_t node = problem_->nodes[e][end];
    if (!full(node)) continue;
    flip.evicted[end] = weakest(node);
    flip.won += remove(flip.evicted[end]);
  }
  flip.won += add(e);
  return flip;
}

void QuadraticRounding::undo(const Flip& flip) {
  if (!chosen(flip.edge)) {
    add(flip.edge);
    return;
  }
  remove(flip.edge);
  for (const std::uint32_t e : flip.evicted) {
    if (e != QuadraticProblem::kNone) add(e);
  }
}

double QuadraticRounding::climb(double tolerance) {
  for (bool moved = true; moved;) {
    moved = false;
    for (Index e = 0; e < problem_->num_edges(); ++e) {
      const Flip flip = flip_edge(e);
      if (flip.won > tolerance) {
        value_ += flip.won;
        moved = true;
      } else {
        undo(flip);
      }
    }
  }
  return value_;
}

double QuadraticRounding::round(const QuadraticProblem& problem, std::span<const double> beliefs,
                                double tolerance) {
  begin(problem);
  order_.clear();
  for (Index e = 0; e < problem.num_edges(); ++e) {
    if (beliefs[e] > 0) order_.push_back(static_cast<std::uint32_t>(e));
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return beliefs[a] != beliefs[b] ? beliefs[a] > beliefs[b] : a < b;
  });
  for (const std::uint32_t e : order_) {
    if (!full(problem.nodes[e][0]) && !full(problem.nodes[e][1])) value_ += add(e);
  }
  return climb(tolerance);
}

}  // namespace trellis
