// Steps of matching_dual.h: Newton's on the free variables, (∇²ψ + μI) d = −g, and shifts of flat
// components that are out of balance.
#include <algorithm>
#include <cmath>

#include "trellis/solve/matchings/matching_dual.h"

namespace trellis {
namespace {

constexpr double kNearBound = 1e-3;
constexpr double kBeyondGap = 0.5;  // how far a shift goes on behind the edge that joins

// Where no candidate is in the way, the next one lies beyond the margins.
double shift(double gap) {
  return std::isfinite(gap) ? gap + kBeyondGap : 1.0;
}

}  // namespace

// False where the system is singular to rounding.
bool MatchingDual::find_direction(double damping) {
  choose_free();
  find_components();
  if (!solve_system(damping)) return false;
  for (const std::uint32_t o : free_) direction_[o] = solution_[o];
  add_shifts();
  for (double& d : direction_) d = std::clamp(d, -reach_, reach_);
  return true;
}

// A variable at (or very near) its bound that the gradient pushes there is fixed (Bertsekas 1982):
// it moves along its gradient, and is not in the system.
void MatchingDual::choose_free() {
  const Index outer = outer_bound.size();
  const double near = std::min(kNearBound, point_.residual);
  parent_.resize(outer);
  direction_.assign(outer, 0.0);
  free_.clear();
  for (std::uint32_t o = 0; o < outer; ++o) {
    const bool held = point_.gradient[o] > 0 && point_.b[o] - outer_bound[o] <= near;
    parent_[o] = held ? kHeld : o;
    if (held) {
      direction_[o] = -point_.gradient[o];
    } else {
      free_.push_back(o);
    }
  }
}

std::uint32_t MatchingDual::component(std::uint32_t o) {
  while (parent_[o] != o) o = parent_[o] = parent_[parent_[o]];
  return o;
}

// Also the right side of the system: −g, made consistent on flat components.
void MatchingDual::find_components() {
  components_.assign(outer_bound.size(), {});
  for (Index i = 0; i < inner_bound.size(); ++i) {
    std::uint32_t joined = kHeld;
    bool held = !has_mean(i);
    for (Index e = point_.begin[i]; e < point_.begin[i + 1]; ++e) {
      const std::uint32_t o = point_.node[e];
      if (parent_[o] == kHeld) {
        held = true;
        continue;
      }
      const std::uint32_t root = component(o);
      if (!has_mean(i)) {
        components_[root].flat = false;
      } else if (joined == kHeld) {
        joined = root;
      } else if (root != joined) {
        components_[joined].flat = components_[joined].flat && components_[root].flat;
        parent_[root] = joined;
      }
    }
    if (held && joined != kHeld) components_[joined].flat = false;
  }
  for (const std::uint32_t o : free_) {
    Component& whole = components_[component(o)];
    whole.imbalance += point_.gradient[o];
    whole.size += 1;
  }
  wanted_.assign(outer_bound.size(), 0.0);
  for (const std::uint32_t o : free_) {
    const Component& whole = components_[component(o)];
    wanted_[o] = (whole.flat ? whole.imbalance / whole.size : 0.0) - point_.gradient[o];
  }
}

// How far flat components are from the next candidate edge, or from a bound.
void MatchingDual::find_gaps() {
  for (const std::uint32_t o : free_) {
    Component& whole = components_[component(o)];
    whole.gap_below = std::min(whole.gap_below, point_.b[o] - outer_bound[o]);
  }
  for (Index i = 0; i < inner_bound.size(); ++i) {
    std::uint32_t home = kHeld;
    for (Index e = point_.begin[i]; e < point_.begin[i + 1] && home == kHeld; ++e) {
      if (parent_[point_.node[e]] != kHeld) home = component(point_.node[e]);
    }
    double nearest = point_.a[i] - inner_bound[i];
    for (Index e = begin[i]; e < begin[i + 1]; ++e) {
      const std::uint32_t there = parent_[node[e]] == kHeld ? kHeld : component(node[e]);
      if (there == home) continue;
      const double gap = std::max(0.0, point_.a[i] + point_.b[node[e]] - reduced[e]);
      nearest = std::min(nearest, gap);
      if (there != kHeld) {
        components_[there].gap_below = std::min(components_[there].gap_below, gap);
      }
    }
    if (home != kHeld) components_[home].gap_above = std::min(components_[home].gap_above, nearest);
  }
}

// A flat component with too few inner nodes (g > 0) sinks until another inner node wants to join,
// one with too many rises. One in balance stays where it is on average.
void MatchingDual::add_shifts() {
  bool unbalanced = false;
  for (const std::uint32_t o : free_) {
    Component& whole = components_[component(o)];
    if (!whole.flat) continue;
    whole.mean_step += direction_[o] / whole.size;
    unbalanced = unbalanced || std::abs(whole.imbalance) > 0.5;
  }
  if (unbalanced) find_gaps();
  for (const std::uint32_t o : free_) {
    const Component& whole = components_[component(o)];
    if (!whole.flat) continue;
    direction_[o] -= whole.mean_step;
    if (whole.imbalance > 0.5) {
      direction_[o] -= shift(whole.gap_below);
    } else if (whole.imbalance < -0.5) {
      direction_[o] += shift(whole.gap_above);
    }
  }
}

}  // namespace trellis
