#include "trellis/solve/factors/map_search.h"

#include <algorithm>
#include <cmath>

namespace trellis {
namespace {

constexpr double kSearchTolerance = 1e-12;  // of Σ |s|

Ad3Options search_options() {
  Ad3Options options;
  options.max_iterations = 300;
  options.residual = 1e-9;
  options.gap = 0;  // the search compares the bounds itself
  return options;
}

}  // namespace

MapResult MapSearch::solve(const FactorGraphLayout& graph, std::span<const double> s,
                           std::span<const Literal> required, std::vector<std::uint32_t>& values,
                           const MapLimits& limits) {
  graph_ = &graph;
  s_ = s;
  result_ = {};
  result_.value = limits.above;
  found_ = false;
  values.clear();
  decisions_.clear();
  trail_.clear();
  double size = 0;
  for (const double score : s) size += std::abs(score);
  tolerance_ = kSearchTolerance * (size > 0 ? size : 1);
  ad3_.begin(graph, s);
  for (const Literal& literal : required) ad3_.require(literal);
  while (split(limits.iterations - result_.iterations, values) || go_back()) {
    if (result_.runs < limits.runs && result_.iterations < limits.iterations) continue;
    result_.proven = false;
    break;
  }
  // Assignments that the first node excluded score no more than the best.
  result_.upper = result_.proven ? result_.value : std::max(result_.value, root_upper_);
  if (!found_) result_.value = -kInfinity;
  return result_;
}

bool MapSearch::split(Index most_iterations, std::vector<std::uint32_t>& values) {
  Ad3Options options = search_options();
  options.max_iterations = std::min(options.max_iterations, most_iterations);
  implied_.clear();
  const Ad3Result node = ad3_.run(options, result_.value, tolerance_, implied_);
  for (const Literal& literal : implied_) trail_.push_back(literal.state);
  if (result_.runs++ == 0) root_upper_ = node.upper;
  result_.iterations += node.convergence.iterations;
  if (node.lower > result_.value) take(ad3_.assignment(), node.lower, values);
  if (node.upper <= result_.value + tolerance_) return false;
  Index state = 0;
  if (choose(state)) {
    decide(state, ad3_.point()[state] > 0.5, false);
    return true;
  }
  leaf_.assign(graph_->num_variables(), 0);  // all is fixed, and nothing left to bound
  for (Index i = 0; i < graph_->num_states(); ++i) {
    const Index v = graph_->variable_of(i);
    if (ad3_.point()[i] < 0.5) continue;
    leaf_[v] = graph_->is_switch(v) ? 1 : static_cast<std::uint32_t>(i - graph_->state(v, 0));
  }
  if (!graph_->legal(leaf_)) return false;
  const double score = graph_->score(s_, leaf_);
  if (score > result_.value) take(leaf_, score, values);
  return false;
}

void MapSearch::take(std::span<const std::uint32_t> candidate, double score,
                     std::vector<std::uint32_t>& values) {
  result_.value = score;
  found_ = true;
  values.assign(candidate.begin(), candidate.end());
}

// The free state whose p is most uncertain; false if all are fixed.
bool MapSearch::choose(Index& state) const {
  double least = kInfinity;
  for (Index i = 0; i < graph_->num_states(); ++i) {
    if (ad3_.is_fixed(i)) continue;
    const double certainty = std::abs(ad3_.point()[i] - 0.5);
    if (certainty < least) least = certainty, state = i;
  }
  return least < kInfinity;
}

void MapSearch::fix(Index state, bool on) {
  ad3_.fix(state, on);
  trail_.push_back(static_cast<std::uint32_t>(state));
}

// A variable of several states has exactly one that is on.
void MapSearch::decide(Index state, bool on, bool last) {
  decisions_.push_back({state, on, last, trail_.size()});
  fix(state, on);
  const Index v = graph_->variable_of(state);
  if (graph_->is_switch(v)) return;
  Index free = 0, other = 0;
  for (Index k = 0; k < graph_->arity(v); ++k) {
    const Index i = graph_->state(v, k);
    if (ad3_.is_fixed(i)) continue;
    if (on) {
      fix(i, false);
    } else {
      ++free;
      other = i;
    }
  }
  if (free == 1) fix(other, true);
}

// Returns to the last decision whose other branch is open; false if there is no such decision.
bool MapSearch::go_back() {
  while (!decisions_.empty()) {
    const Decision decision = decisions_.back();
    decisions_.pop_back();
    while (trail_.size() > decision.trail_begin) {
      ad3_.release(trail_.back());
      trail_.pop_back();
    }
    if (decision.last) continue;
    decide(decision.state, !decision.on, true);
    return true;
  }
  return false;
}

}  // namespace trellis
