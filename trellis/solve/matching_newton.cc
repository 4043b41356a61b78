// Steps of matching_dual.h: Newton's on the free variables, (∇²ψ + μI) d = −g, and shifts of flat
// components that are out of balance. Systems are solved here, rather than by a library, so that
// the bits of a projection are the same on every machine.
#include <algorithm>
#include <cmath>

#include "trellis/solve/matching_dual.h"

namespace trellis {
namespace {

constexpr double kNearBound = 1e-3;
constexpr double kBeyondGap = 0.5;  // how far a shift goes on behind the edge that joins
constexpr Index kMostFactorized = 48;
constexpr double kSmallestPivot = 1e-12;

// Where no candidate is in the way, the next one lies beyond the margins.
double shift(double gap) {
  return std::isfinite(gap) ? gap + kBeyondGap : 1.0;
}

}  // namespace

// False where the system is singular to rounding.
bool MatchingDual::find_direction(double damping) {
  choose_free();
  find_components();
  if (free_.size() > kMostFactorized) {
    conjugate_gradients(damping);
  } else if (!factorize_and_solve(damping)) {
    return false;
  }
  add_shifts();
  for (double& d : direction_) d = std::clamp(d, -reach_, reach_);
  return true;
}

// A variable at (or all but at) its bound that the gradient pushes there is held (Bertsekas 1982):
// it moves along its gradient, and takes no part in the system.
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

// All free nodes but one of each flat component, whose step is 0: what remains is regular. Nodes
// of low degree come first, since they make little fill-in.
void MatchingDual::order_system() {
  degree_.assign(outer_bound.size(), 0);
  for (Index i = 0; i < inner_bound.size(); ++i) {
    const Index others = point_.begin[i + 1] - point_.begin[i] - 1;
    for (Index e = point_.begin[i]; e < point_.begin[i + 1]; ++e) {
      degree_[point_.node[e]] += static_cast<std::uint32_t>(others);
    }
  }
  system_.clear();
  for (const std::uint32_t o : free_) {
    if (parent_[o] != o || !components_[o].flat) system_.push_back(o);
  }
  std::sort(system_.begin(), system_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return degree_[x] != degree_[y] ? degree_[x] < degree_[y] : x < y;
  });
  place_.assign(outer_bound.size(), kHeld);
  for (std::uint32_t k = 0; k < system_.size(); ++k) place_[system_[k]] = k;
}

// The lower triangle of ∇²ψ by columns.
void MatchingDual::assemble() {
  const Index size = system_.size();
  matrix_.assign(size * size, 0.0);
  for (Index i = 0; i < inner_bound.size(); ++i) {
    const Index first = point_.begin[i], last = point_.begin[i + 1];
    const double share = has_mean(i) ? 1 / static_cast<double>(last - first) : 0.0;
    for (Index e = first; e < last; ++e) {
      const std::uint32_t p = place_[point_.node[e]];
      if (p == kHeld) continue;
      matrix_[p * size + p] += 1 - share;
      if (share == 0) continue;
      for (Index f = first; f < e; ++f) {
        const std::uint32_t q = place_[point_.node[f]];
        if (q == kHeld) continue;
        matrix_[std::min(p, q) * size + std::max(p, q)] -= share;
      }
    }
  }
}

// L D Lᵀ, a column at a time to the right, passing over what is 0.
bool MatchingDual::factorize_and_solve(double damping) {
  order_system();
  assemble();
  const Index size = system_.size();
  step_.resize(size);
  for (Index k = 0; k < size; ++k) step_[k] = wanted_[system_[k]];
  for (Index k = 0; k < size; ++k) {
    double* column = matrix_.data() + k * size;
    column[k] += damping;
    if (!(column[k] > kSmallestPivot)) return false;
    for (Index j = k + 1; j < size; ++j) {
      if (column[j] == 0) continue;
      const double multiplier = column[j] / column[k];
      double* target = matrix_.data() + j * size;
      for (Index l = j; l < size; ++l) target[l] -= multiplier * column[l];
      step_[j] -= multiplier * step_[k];
    }
  }
  for (Index k = size; k-- > 0;) {
    const double* column = matrix_.data() + k * size;
    double sum = step_[k];
    for (Index j = k + 1; j < size; ++j) sum -= column[j] * step_[j];
    step_[k] = sum / column[k];
    direction_[system_[k]] = step_[k];
  }
  return true;
}

// product ← (∇²ψ + μI) search, 0 at held variables.
void MatchingDual::multiply(double damping) {
  product_.assign(search_.size(), 0.0);
  for (Index i = 0; i < inner_bound.size(); ++i) {
    const Index first = point_.begin[i], last = point_.begin[i + 1];
    double mean = 0;
    if (has_mean(i)) {
      for (Index e = first; e < last; ++e) mean += search_[point_.node[e]];
      mean /= static_cast<double>(last - first);
    }
    for (Index e = first; e < last; ++e) product_[point_.node[e]] += search_[point_.node[e]] - mean;
  }
  for (Index o = 0; o < product_.size(); ++o) {
    product_[o] = parent_[o] == kHeld ? 0.0 : product_[o] + damping * search_[o];
  }
}

// The diagonal of ∇²ψ + μI, inverted; 0 where it is 0: there is nothing to solve.
void MatchingDual::invert_diagonal(double damping) {
  diagonal_.assign(outer_bound.size(), damping);
  for (Index i = 0; i < inner_bound.size(); ++i) {
    const Index first = point_.begin[i], last = point_.begin[i + 1];
    const double share = has_mean(i) ? 1 / static_cast<double>(last - first) : 0.0;
    for (Index e = first; e < last; ++e) diagonal_[point_.node[e]] += 1 - share;
  }
  for (double& d : diagonal_) d = d > 0 ? 1 / d : 0;
}

// On flat components the system is singular but consistent, which is enough here. Every iterate is
// a direction of descent, so the number of iterations only bounds the effort; the nearer the
// minimum, the more accurate (an inexact Newton method; Dembo, Eisenstat & Steihaug 1982).
void MatchingDual::conjugate_gradients(double damping) {
  invert_diagonal(damping);
  residual_ = wanted_;
  search_.assign(outer_bound.size(), 0.0);
  double start = 0, rho = 0;
  for (const std::uint32_t o : free_) {
    search_[o] = diagonal_[o] * residual_[o];
    start += residual_[o] * residual_[o];
    rho += residual_[o] * search_[o];
  }
  const double accuracy = std::clamp(std::sqrt(start), 1e-6, 1e-2);
  const Index most = 100 + 2 * free_.size();
  for (Index iteration = 0; iteration < most && rho > 0; ++iteration) {
    multiply(damping);
    double curvature = 0;
    for (const std::uint32_t o : free_) curvature += search_[o] * product_[o];
    if (!(curvature > 0)) return;
    const double alpha = rho / curvature;
    double left = 0, next = 0;
    for (const std::uint32_t o : free_) {
      direction_[o] += alpha * search_[o];
      const double r = residual_[o] -= alpha * product_[o];
      left += r * r;
      next += r * r * diagonal_[o];
    }
    if (left <= start * accuracy * accuracy) return;
    for (const std::uint32_t o : free_) {
      search_[o] = diagonal_[o] * residual_[o] + next / rho * search_[o];
    }
    rho = next;
  }
}

}  // namespace trellis
