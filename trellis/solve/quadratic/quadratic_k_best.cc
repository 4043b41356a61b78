// The k best outputs of QuadraticSearch.
#include <algorithm>
#include <cmath>

#include "trellis/solve/quadratic/quadratic_search.h"
#include "trellis/solve/quadratic/quadratic_sweeps.h"

namespace trellis {

void QuadraticSearch::k_best(const QuadraticParts& parts, std::span<const double> s, Index k,
                             std::vector<Edges>& best, Index most_nodes) {
  best.clear();
  if (k == 0) return;
  Edges first;
  maximize(parts, s, first, most_nodes);
  const Summary of_first = summary_;
  k_ = k;
  kept_.clear();
  known_.clear();
  missed_ = -kInfinity;
  begin(parts, s, most_nodes > kNoLimit / kMostSearches ? kNoLimit : kMostSearches * most_nodes);
  Level& root = level_at(0);
  root.gained = 0;
  root.taken.clear();
  seed(first);
  enumerate(0);
  best.push_back(first);
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    if (kept->second != first) best.push_back(kept->second);
  }
  summary_.branched |= of_first.branched;
  summary_.nodes += of_first.nodes;
  summary_.bound = missed_;
}

double QuadraticSearch::enough_to_keep() const {
  return kept_.size() < k_ ? -kInfinity : kept_.begin()->first;
}

// candidate_, unless k better ones are known.
void QuadraticSearch::keep(double value) {
  if (value <= enough_to_keep()) return;
  std::sort(candidate_.begin(), candidate_.end());
  if (!known_.insert(candidate_).second) return;
  kept_.emplace(value, candidate_);
  if (kept_.size() <= k_) return;
  known_.erase(kept_.begin()->second);
  kept_.erase(kept_.begin());
}

void QuadraticSearch::keep_rounded(const Level& level, double value) {
  candidate_ = level.taken;
  for (Index e = 0; e < level.problem.num_edges(); ++e) {
    if (rounding_.chosen(e)) candidate_.push_back(level.problem.names[e]);
  }
  keep(value);
}

// The neighbours of the best output are good ones, so that the search has something to compare
// with. The best itself is kept whatever comes: it counts as better than its equals.
void QuadraticSearch::seed(const Edges& best) {
  const Level& root = *levels_[0];
  known_.insert(best);
  kept_.emplace(kInfinity, best);
  rounding_.for_each_neighbour(root.problem, best,
                               [&](double value) { keep_rounded(root, value); });
}

bool QuadraticSearch::left_behind(const Level& level, double bound) const {
  return level.gained + bound <= enough_to_keep() + tolerance_;
}

// Keeps every output of the problem at `depth` that is among the k best so far.
void QuadraticSearch::enumerate(Index depth) {
  Level& level = *levels_[depth];
  ++summary_.nodes;
  double& bound = level.bound;
  bound = quadratic_bound(level.problem);
  double fall = kInfinity;
  bool swept = false;
  level.states.assign(level.problem.num_edges(), EdgeState::kFree);
  while (fall > 0) {
    if (level.problem.num_edges() == 0) {
      candidate_ = level.taken;
      keep(level.gained);
      return;
    }
    if (left_behind(level, bound)) return;
    if (swept && summary_.nodes > most_nodes_) break;
    swept = true;
    const double before = bound;
    level.beliefs.resize(level.problem.num_edges());
    bool decided = false;
    for (const SweepDirection direction : {SweepDirection::kForward, SweepDirection::kBackward}) {
      const double enough = enough_to_keep() + tolerance_ - level.gained;
      decided |= sweep(level.problem, direction, enough, bound, level.beliefs, level.states);
    }
    keep_rounded(level, level.gained + rounding_.round(level.problem, level.beliefs, tolerance_));
    if (decided && !shrink(level)) return;
    const double gap = level.gained + bound - enough_to_keep();
    fall = decided ? kInfinity : before - bound - kStall * gap;
  }
  if (left_behind(level, bound)) return;
  if (summary_.nodes >= most_nodes_) {
    summary_.proven = false;
    missed_ = std::max(missed_, level.gained + bound);
    return;
  }
  summary_.branched = true;
  for_each_side(depth, [&](double gained) {
    Level& child = *levels_[depth + 1];
    child.gained = gained;
    child.taken.assign(level.taken.begin(), level.taken.end());
    enumerate(depth + 1);
  });
}

}  // namespace trellis
