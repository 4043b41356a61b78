// The best assignment of a factor graph, by branch and bound (Land & Doig 1960) on the bounds of
// AD³ (ad3.h; Das, Martins & Smith 2012 for the combination).
//
// The search is depth first. If the bound under the fixed states exceeds the best assignment so
// far, the state whose p is most uncertain is fixed, first to its nearest value. States that the
// bound proves are fixed with it, and AD³ stops early when the bound hardly falls. The shares of
// the scores continue from one node to the next, so most nodes take few iterations. The problem is
// NP-hard, and so is this search in the worst case; if the relaxation is tight, as is usual in
// parsing, one run suffices.
//
// The result is the best assignment up to differences of 1e-12 · Σ |s|.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

struct MapResult {
  double value = -kInfinity;  // s·z of the assignment; −∞ where no assignment is legal
  bool proven = true;         // it is the best; false where the search was given up
  double upper = -kInfinity;  // no legal assignment scores more: the value itself where proven
  Index runs = 0;             // of AD³, one for each node
  Index iterations = 0;       // of all of them
};

struct MapLimits {
  static constexpr Index kNone = std::numeric_limits<Index>::max();
  // The search stops at these limits.
  Index runs = kNone;        // of AD³
  Index iterations = kNone;  // of all runs together
  // Assignments that score no more than this count as illegal.
  double above = -kInfinity;
};

// Reuses its memory in repeated calls; use one object per thread.
class MapSearch {
 public:
  // Writes a value for each variable to `values`, or clears it if no assignment is legal.
  MapResult solve(const FactorGraphLayout& graph, std::span<const double> s,
                  std::vector<std::uint32_t>& values) {
    return solve(graph, s, {}, values);
  }
  // The same among the assignments in which all of `required` hold; `required` names no state
  // twice. At a limit it returns the best assignment found.
  MapResult solve(const FactorGraphLayout& graph, std::span<const double> s,
                  std::span<const Literal> required, std::vector<std::uint32_t>& values,
                  const MapLimits& limits = {});

 private:
  struct Decision {
    Index state;
    bool on;
    bool last;          // the other way was tried
    Index trail_begin;  // what it has fixed
  };

  // Bounds the current node; true if it was split in two, the first of which is next.
  bool split(Index most_iterations, std::vector<std::uint32_t>& values);
  void take(std::span<const std::uint32_t> candidate, double score,
            std::vector<std::uint32_t>& values);
  bool choose(Index& state) const;
  void decide(Index state, bool on, bool last);
  bool go_back();
  void fix(Index state, bool on);

  const FactorGraphLayout* graph_ = nullptr;
  std::span<const double> s_;
  double tolerance_ = 0;
  double root_upper_ = kInfinity;  // the bound of the first node
  bool found_ = false;             // an assignment
  MapResult result_;
  Ad3 ad3_;
  std::vector<Decision> decisions_;
  std::vector<std::uint32_t> trail_;  // states that are fixed
  std::vector<Literal> implied_;
  std::vector<std::uint32_t> leaf_;
};

}  // namespace trellis
