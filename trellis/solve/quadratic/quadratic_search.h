// The best quadratic matching, and the k best: branch and bound, to the end or up to a limit.
//
// A subproblem is swept (quadratic_sweeps.h) while its upper bound falls; outputs come from its
// beliefs (quadratic_rounding.h), and edges that the bound decides are removed. The rest is divided
// into components that share no node and no pair, each solved separately; a component that still
// has a gap is split on its least certain edge, the more likely side first, and both parts start
// from the shares of the whole.
//
// Values that differ by less than about 1e-13 of the sum of all |scores| count as equal. The order
// of all steps is fixed, so the same scores always give the same output.
//
// The problem is NP-hard: the number of subproblems may grow exponentially with that of the edges.
// A limit on it bounds the work. Once it is reached, subproblems that are still open are swept and
// rounded once and not split, and the best output so far is returned with an upper bound.
//
// k best: the same search, but an output is compared with the k-th best known, and a subproblem is
// left when it has nothing better; splits continue to the last edge.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/quadratic/quadratic_problem.h"
#include "trellis/solve/quadratic/quadratic_rounding.h"

namespace trellis {

class QuadraticSearch {
 public:
  struct Summary {
    bool branched = false;
    bool proven = true;  // false where the limit ended the search
    Index nodes = 0;     // subproblems that were swept
    // maximize: no output scores more. k_best: outputs omitted because of the limit score no more;
    // −∞ if none were omitted.
    double bound = 0;
  };
  using Edges = std::vector<std::uint32_t>;  // ascending
  static constexpr Index kNoLimit = std::numeric_limits<Index>::max();
  static constexpr Index kMostSearches = 16;

  // Scores as in QuadraticParts, all finite, with the signs that (3.2) and (3.3) require. To drop
  // any edge from `best` would cost score. The first subproblem is swept to the end whatever the
  // limit; beyond the limit at most one subproblem per edge is swept.
  void maximize(const QuadraticParts& parts, std::span<const double> s, Edges& best,
                Index most_nodes = kNoLimit);
  // The k best, or all if there are fewer, best first up to rounding; the first is that of
  // maximize. The limit applies to the search for the first; further ones have kMostSearches times
  // as many subproblems. Those with scores ≥ summary().bound are the best outputs.
  void k_best(const QuadraticParts& parts, std::span<const double> s, Index k,
              std::vector<Edges>& best, Index most_nodes = kNoLimit);
  // Describes the last call.
  const Summary& summary() const { return summary_; }

 private:
  // A subproblem, and its best known output.
  struct Level {
    QuadraticProblem problem, spare;
    std::vector<double> beliefs;
    std::vector<EdgeState> states;
    std::vector<std::uint32_t> component;  // by edge
    std::vector<double> component_bounds;
    double bound = 0;   // of the problem, without what is gained
    double gained = 0;  // by the edges that are in, `taken`
    Edges taken;
    double value = 0;  // of `best`, or what it had to exceed
    bool found = false;
    Edges best;
  };
  // Sweeps end when two of them reduce the gap by less than this share.
  static constexpr double kStall = 0.05;
  static constexpr Index kRoundEvery = 4;
  enum class Outcome { kProved, kStalled };

  void begin(const QuadraticParts& parts, std::span<const double> s, Index most_nodes);
  Level& level_at(Index depth);
  static Index most_doubtful(const Level& level);
  double solve(Index depth, double enough);
  Outcome tighten(Level& level);
  double round_off(Level& level);
  bool shrink(Level& level);
  std::optional<double> solve_components(Index depth);
  double branch(Index depth);
  // Splits the problem at `depth` on its least certain edge, the more likely side first:
  // visit(score gained so far), with the rest of the problem at the next depth, and the edges that
  // are in, in the level's `taken`.
  template <class Visit>
  void for_each_side(Index depth, const Visit& visit);
  void take_best(Level& parent, const Level& child, double gained, const Edges& taken);
  void drop_idle_edges(const QuadraticParts& parts, std::span<const double> s, Edges& best) const;

  // k best: quadratic_k_best.cc
  void enumerate(Index depth);
  bool left_behind(const Level& level, double bound) const;
  void keep_rounded(const Level& level, double value);
  void keep(double value);
  double enough_to_keep() const;
  void seed(const Edges& best);

  double tolerance_ = 0;
  std::vector<double> steps_;
  std::vector<std::unique_ptr<Level>> levels_;  // by depth
  QuadraticReduction reduction_;
  QuadraticRounding rounding_;
  Summary summary_;
  Index most_nodes_ = kNoLimit;
  Index k_ = 0;
  std::set<std::pair<double, Edges>> kept_;  // the k best that are known, by value
  std::set<Edges> known_;                    // the same
  double missed_ = -kInfinity;               // what was left at the limit scores no more
  Edges candidate_;
};

template <class Visit>
void QuadraticSearch::for_each_side(Index depth, const Visit& visit) {
  Level& level = *levels_[depth];
  Level& child = level_at(depth + 1);
  const Index e = most_doubtful(level);
  const bool likely = level.beliefs[e] > 0;
  const Index known = level.taken.size();
  for (const bool in : {likely, !likely}) {
    level.states.assign(level.problem.num_edges(), EdgeState::kFree);
    level.states[e] = in ? EdgeState::kIn : EdgeState::kOut;
    double gained = level.gained;
    level.taken.resize(known);
    reduction_.reduce(level.problem, level.states, gained, level.taken, child.problem);
    visit(gained);
  }
}

}  // namespace trellis
