#include "trellis/solve/quadratic/quadratic_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/solve/quadratic/quadratic_components.h"
#include "trellis/solve/quadratic/quadratic_sweeps.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {
// The edge with the least certain belief; high scores of its pairs count in its favour.
Index QuadraticSearch::most_doubtful(const Level& level) {
  constexpr double kStake = 0.1;
  const QuadraticProblem& problem = level.problem;
  Index found = 0;
  double least = kInfinity;
  for (Index e = 0; e < problem.num_edges(); ++e) {
    double stake = 0;
    for (Index i = problem.slot_begin[e]; i < problem.slot_begin[e + 1]; ++i) {
      stake += problem.pair_scores[problem.edge_slots[i] / 2];
    }
    const double doubt = std::abs(level.beliefs[e]) - kStake * stake;
    if (doubt < least) {
      least = doubt;
      found = e;
    }
  }
  return found;
}

QuadraticSearch::Level& QuadraticSearch::level_at(Index depth) {
  while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth];
}

void QuadraticSearch::begin(const QuadraticParts& parts, std::span<const double> s,
                            Index most_nodes) {
  summary_ = {};
  most_nodes_ = most_nodes;
  tolerance_ = value_tolerance(s);
  build_problem(parts, s, false, steps_, level_at(0).problem);
}

void QuadraticSearch::maximize(const QuadraticParts& parts, std::span<const double> s, Edges& best,
                               Index most_nodes) {
  begin(parts, s, most_nodes);
  const double upper = solve(0, -kInfinity);
  Level& root = *levels_[0];
  best.assign(root.best.begin(), root.best.end());
  std::sort(best.begin(), best.end());
  drop_idle_edges(parts, s, best);
  // A better output may have been found since some subproblems were left open.
  summary_.proven |= upper <= root.value + tolerance_;
  summary_.bound = summary_.proven ? root.value + tolerance_ : upper;
}

// Finds the best output of the problem at `depth` if it exceeds `enough`. Returns an upper bound of
// both: up to tolerances the larger of the two, unless the limit was reached.
double QuadraticSearch::solve(Index depth, double enough) {
  Level& level = level_at(depth);
  level.gained = 0;
  level.taken.clear();
  level.value = enough;
  level.found = false;
  ++summary_.nodes;
  if (tighten(level) == Outcome::kProved) return level.value + tolerance_;
  if (summary_.nodes >= most_nodes_) {
    summary_.proven = false;
    return level.gained + level.bound;
  }
  if (const std::optional<double> upper = solve_components(depth)) return *upper;
  summary_.branched = true;
  return branch(depth);
}

// Sweeps and reduces while the bound falls; beyond the limit on subproblems only once.
QuadraticSearch::Outcome QuadraticSearch::tighten(Level& level) {
  double& bound = level.bound;
  bound = quadratic_bound(level.problem);
  if (bound <= level.value + tolerance_) return Outcome::kProved;
  level.states.assign(level.problem.num_edges(), EdgeState::kFree);
  for (Index round = 0;; ++round) {
    if (level.problem.num_edges() == 0) {
      round_off(level);
      return Outcome::kProved;
    }
    if (round > 0 && summary_.nodes > most_nodes_) return Outcome::kStalled;
    const double before = bound;
    level.beliefs.resize(level.problem.num_edges());
    bool decided = false;
    for (const SweepDirection direction : {SweepDirection::kForward, SweepDirection::kBackward}) {
      const double enough = level.value + tolerance_ - level.gained;
      decided |= sweep(level.problem, direction, enough, bound, level.beliefs, level.states);
    }
    // Rounding costs as much as a few sweeps.
    const bool rounded = round % kRoundEvery == 0;
    if (rounded) round_off(level);
    const bool stalled =
        !decided && before - bound <= kStall * (level.gained + bound - level.value);
    if (stalled && !rounded) round_off(level);
    if (level.gained + bound <= level.value + tolerance_) return Outcome::kProved;
    if (stalled) return Outcome::kStalled;
    if (!decided) continue;
    if (!shrink(level)) return Outcome::kProved;
    if (level.gained + bound <= level.value + tolerance_) return Outcome::kProved;
  }
}

// Rounds the beliefs to an output, which becomes the level's best if it is better.
double QuadraticSearch::round_off(Level& level) {
  const double value = level.gained + rounding_.round(level.problem, level.beliefs, tolerance_);
  if (value <= level.value) return value;
  level.value = value;
  level.found = true;
  level.best.assign(level.taken.begin(), level.taken.end());
  for (Index e = 0; e < level.problem.num_edges(); ++e) {
    if (rounding_.chosen(e)) level.best.push_back(level.problem.names[e]);
  }
  return value;
}

// Reduces the problem to its free edges. False if the decisions are impossible: no output is better
// than the best known.
bool QuadraticSearch::shrink(Level& level) {
  if (!reduction_.reduce(level.problem, level.states, level.gained, level.taken, level.spare)) {
    return false;
  }
  std::swap(level.problem, level.spare);
  level.states.assign(level.problem.num_edges(), EdgeState::kFree);
  level.bound = quadratic_bound(level.problem);
  return true;
}

// Drops edges whose absence costs nothing.
void QuadraticSearch::drop_idle_edges(const QuadraticParts& parts, std::span<const double> s,
                                      Edges& best) const {
  const auto degree = [&](Index node) {
    return static_cast<Index>(std::count_if(best.begin(), best.end(), [&](std::uint32_t e) {
      return parts.left_node(e) == node || parts.right_node(e) == node;
    }));
  };
  const auto contribution = [&](std::uint32_t e) {
    ExactSum sum;
    sum.add(s[e]);
    for (const Index node : {parts.left_node(e), parts.right_node(e)}) {
      const Index d = degree(node);
      if (d > 1) sum.add(s[parts.degree_part(node, d)]);
    }
    for (Index p = 0; p < parts.pairs.size(); ++p) {
      const auto [a, b] = parts.pairs[p];
      if (a != e && b != e) continue;
      const std::uint32_t other = a == e ? b : a;
      if (std::binary_search(best.begin(), best.end(), other)) sum.add(s[parts.first_pair() + p]);
    }
    return sum.value();
  };
  for (bool dropped = true; dropped;) {
    const auto idle = std::find_if(best.begin(), best.end(),
                                   [&](std::uint32_t e) { return contribution(e) <= 0; });
    dropped = idle != best.end();
    if (dropped) best.erase(idle);
  }
}

// Takes the child's output, together with the edges decided on the way to it.
void QuadraticSearch::take_best(Level& parent, const Level& child, double gained,
                                const Edges& taken) {
  parent.value = gained + child.value;
  parent.found = true;
  parent.best.assign(taken.begin(), taken.end());
  parent.best.insert(parent.best.end(), child.best.begin(), child.best.end());
}

// nullopt if the problem is connected; otherwise what solve returns.
std::optional<double> QuadraticSearch::solve_components(Index depth) {
  Level& level = *levels_[depth];
  const Index parts = find_components(level.problem, level.component);
  if (parts < 2) return std::nullopt;
  Level& child = level_at(depth + 1);
  double unused = 0;
  const auto extract = [&](Index part) {
    for (Index e = 0; e < level.states.size(); ++e) {
      level.states[e] = level.component[e] == part ? EdgeState::kFree : EdgeState::kOut;
    }
    reduction_.reduce(level.problem, level.states, unused, level.taken, child.problem);
  };
  level.component_bounds.resize(parts);
  double open = 0;
  for (Index part = 0; part < parts; ++part) {
    extract(part);
    level.component_bounds[part] = quadratic_bound(child.problem);
    open += level.component_bounds[part];
  }
  double value = level.gained, upper = level.gained;
  Edges& together = level.taken;
  for (Index part = 0; part < parts; ++part) {
    extract(part);
    open -= level.component_bounds[part];
    upper += solve(depth + 1, level.value - value - open);
    if (!child.found) return upper + open;
    value += child.value;
    together.insert(together.end(), child.best.begin(), child.best.end());
  }
  if (value > level.value) {
    level.value = value;
    level.found = true;
    level.best.assign(together.begin(), together.end());
  }
  return std::max(level.value, upper);
}

double QuadraticSearch::branch(Index depth) {
  Level& level = *levels_[depth];
  double upper = level.value;
  for_each_side(depth, [&](double gained) {
    upper = std::max(upper, gained + solve(depth + 1, level.value - gained));
    const Level& child = *levels_[depth + 1];
    if (child.found) take_best(level, child, gained, level.taken);
  });
  return upper;
}

}  // namespace trellis
