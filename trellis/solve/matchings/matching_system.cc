// The Newton system of matching_dual.h, (∇²ψ + μI) d = w, written with the means of inner nodes as
// further unknowns:
//
//   (degree_o + μ) d_o − Σ_{i ∋ o} d_i = w_o    for each free outer node
//        degree_i d_i − Σ_{o ∈ i} d_o = 0       for each inner node with a_i > l_i
//
// It is a graph Laplacian of the support, and the support is nearly a forest, the more so the
// larger v is. So leaves are eliminated first, again and again; what is left, the core, goes to a
// dense factorization or to conjugate gradients, by its size. All this is done here, rather than by
// a library, so that the bits of a projection are the same on every machine.
#include <algorithm>
#include <cmath>

#include "trellis/solve/matchings/matching_dual.h"

namespace trellis {
namespace {

constexpr Index kMostFactorized = 48;
constexpr double kSmallestPivot = 1e-12;

}  // namespace

// False where the system is singular to rounding.
bool MatchingDual::solve_system(double damping) {
  peel(damping);
  collect_core();
  if (core_outer_.size() > kMostFactorized) {
    iterate_core();
  } else if (!factorize_core()) {
    return false;
  }
  substitute_back();
  return true;
}

// Eliminates nodes with one neighbour: d_u = (load_u + d_v) / pivot_u. The neighbour is known
// without lists, as the exclusive or of all that have not gone.
void MatchingDual::peel(double damping) {
  const Index outer = outer_bound.size(), all = outer + inner_bound.size();
  pivot_.assign(all, damping);
  load_.assign(all, 0.0);
  solution_.assign(all, 0.0);
  rest_.assign(all, 0);
  neighbours_.assign(all, 0);
  std::copy(wanted_.begin(), wanted_.end(), load_.begin());
  for (Index i = 0; i < inner_bound.size(); ++i) {
    const auto u = static_cast<std::uint32_t>(outer + i);
    const Index first = point_.begin[i], last = point_.begin[i + 1];
    pivot_[u] = static_cast<double>(last - first);
    for (Index e = first; e < last; ++e) {
      const std::uint32_t o = point_.node[e];
      if (parent_[o] == kHeld) continue;
      pivot_[o] += 1;
      if (!has_mean(i)) continue;
      ++rest_[o];
      ++rest_[u];
      neighbours_[o] ^= u;
      neighbours_[u] ^= o;
    }
  }
  queue_.clear();
  leaves_.clear();
  for (std::uint32_t u = 0; u < all; ++u) {
    if (rest_[u] == 1) queue_.push_back(u);
  }
  for (Index k = 0; k < queue_.size(); ++k) {
    const std::uint32_t u = queue_[k];
    if (rest_[u] == 0) continue;  // the last of its tree
    const std::uint32_t v = neighbours_[u];
    leaves_.push_back({u, v});
    pivot_[v] -= 1 / pivot_[u];
    load_[v] += load_[u] / pivot_[u];
    neighbours_[v] ^= u;
    rest_[u] = 0;
    if (--rest_[v] == 1) queue_.push_back(v);
  }
}

// The nodes with two neighbours or more; its outer nodes, except one of each flat component, whose
// d is 0, form the system to solve. Outer nodes without neighbours are finished.
void MatchingDual::collect_core() {
  const Index outer = outer_bound.size();
  core_outer_.clear();
  core_inner_.clear();
  core_begin_.assign(1, 0);
  core_node_.clear();
  core_load_.assign(load_.begin(), load_.begin() + static_cast<std::ptrdiff_t>(outer));
  place_.assign(outer, kHeld);
  for (const std::uint32_t o : free_) {
    Component& whole = components_[component(o)];
    if (rest_[o] == 0) continue;
    if (whole.flat && !whole.grounded) {
      whole.grounded = true;
    } else {
      place_[o] = 0;
      core_outer_.push_back(o);
    }
  }
  for (std::uint32_t i = 0; i < inner_bound.size(); ++i) {
    const Index u = outer + i;
    if (rest_[u] == 0) continue;
    core_inner_.push_back(i);
    for (Index e = point_.begin[i]; e < point_.begin[i + 1]; ++e) {
      const std::uint32_t o = point_.node[e];
      if (place_[o] == kHeld) continue;
      core_node_.push_back(o);
      core_load_[o] += load_[u] / pivot_[u];
    }
    core_begin_.push_back(core_node_.size());
  }
}

// Nodes of low degree first, since they make little fill-in.
void MatchingDual::order_core() {
  degree_.assign(outer_bound.size(), 0);
  for (Index k = 0; k < core_inner_.size(); ++k) {
    const Index others = core_begin_[k + 1] - core_begin_[k] - 1;
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) {
      degree_[core_node_[e]] += static_cast<std::uint32_t>(others);
    }
  }
  std::sort(core_outer_.begin(), core_outer_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return degree_[x] != degree_[y] ? degree_[x] < degree_[y] : x < y;
  });
  for (std::uint32_t k = 0; k < core_outer_.size(); ++k) place_[core_outer_[k]] = k;
}

// The core without its inner nodes: the lower triangle by columns.
void MatchingDual::assemble_core() {
  const Index size = core_outer_.size();
  matrix_.assign(size * size, 0.0);
  for (Index k = 0; k < size; ++k) matrix_[k * size + k] = pivot_[core_outer_[k]];
  for (Index k = 0; k < core_inner_.size(); ++k) {
    const double share = 1 / pivot_[outer_bound.size() + core_inner_[k]];
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) {
      const std::uint32_t p = place_[core_node_[e]];
      matrix_[p * size + p] -= share;
      for (Index f = core_begin_[k]; f < e; ++f) {
        const std::uint32_t q = place_[core_node_[f]];
        matrix_[std::min(p, q) * size + std::max(p, q)] -= share;
      }
    }
  }
}

// L D Lᵀ, a column at a time to the right, passing over what is 0.
bool MatchingDual::factorize_core() {
  order_core();
  assemble_core();
  const Index size = core_outer_.size();
  step_.resize(size);
  for (Index k = 0; k < size; ++k) step_[k] = core_load_[core_outer_[k]];
  for (Index k = 0; k < size; ++k) {
    double* column = matrix_.data() + k * size;
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
    solution_[core_outer_[k]] = step_[k];
  }
  return true;
}

// product ← the core's matrix times search.
void MatchingDual::multiply_core() {
  for (const std::uint32_t o : core_outer_) product_[o] = pivot_[o] * search_[o];
  for (Index k = 0; k < core_inner_.size(); ++k) {
    double mean = 0;
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) mean += search_[core_node_[e]];
    mean /= pivot_[outer_bound.size() + core_inner_[k]];
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) product_[core_node_[e]] -= mean;
  }
}

// Conjugate gradients, scaled by the diagonal. Every iterate is a direction of descent, so the
// number of iterations only bounds the effort; the nearer the minimum, the more accurate (an
// inexact Newton method; Dembo, Eisenstat & Steihaug 1982).
void MatchingDual::iterate_core() {
  const Index outer = outer_bound.size();
  residual_.assign(outer, 0.0);
  search_.assign(outer, 0.0);
  product_.assign(outer, 0.0);
  diagonal_.assign(pivot_.begin(), pivot_.begin() + static_cast<std::ptrdiff_t>(outer));
  for (Index k = 0; k < core_inner_.size(); ++k) {
    const double share = 1 / pivot_[outer + core_inner_[k]];
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) diagonal_[core_node_[e]] -= share;
  }
  double start = 0, rho = 0;
  for (const std::uint32_t o : core_outer_) {
    residual_[o] = core_load_[o];
    search_[o] = residual_[o] / diagonal_[o];
    start += residual_[o] * residual_[o];
    rho += residual_[o] * search_[o];
  }
  const double accuracy = std::clamp(std::sqrt(start), 1e-6, 1e-2);
  const Index most = 100 + 2 * core_outer_.size();
  for (Index iteration = 0; iteration < most && rho > 0; ++iteration) {
    multiply_core();
    double curvature = 0;
    for (const std::uint32_t o : core_outer_) curvature += search_[o] * product_[o];
    if (!(curvature > 0)) return;
    const double alpha = rho / curvature;
    double left = 0, next = 0;
    for (const std::uint32_t o : core_outer_) {
      solution_[o] += alpha * search_[o];
      const double r = residual_[o] -= alpha * product_[o];
      left += r * r;
      next += r * r / diagonal_[o];
    }
    if (left <= start * accuracy * accuracy) return;
    for (const std::uint32_t o : core_outer_) {
      search_[o] = residual_[o] / diagonal_[o] + next / rho * search_[o];
    }
    rho = next;
  }
}

// Inner nodes of the core, the last nodes of trees (0 where these are flat), then leaves, the last
// one first.
void MatchingDual::substitute_back() {
  const Index outer = outer_bound.size();
  for (Index k = 0; k < core_inner_.size(); ++k) {
    const Index u = outer + core_inner_[k];
    double sum = load_[u];
    for (Index e = core_begin_[k]; e < core_begin_[k + 1]; ++e) sum += solution_[core_node_[e]];
    solution_[u] = sum / pivot_[u];
  }
  is_leaf_.assign(pivot_.size(), 0);
  for (const Leaf& leaf : leaves_) is_leaf_[leaf.node] = 1;
  const auto finish_tree = [&](std::uint32_t u, std::uint32_t o) {
    if (rest_[u] > 0 || is_leaf_[u] != 0 || components_[component(o)].flat) return;
    solution_[u] = load_[u] / pivot_[u];
  };
  for (const std::uint32_t o : free_) finish_tree(o, o);
  for (const Leaf& leaf : leaves_) {
    if (leaf.neighbour >= outer) finish_tree(leaf.neighbour, leaf.node);
  }
  for (Index k = leaves_.size(); k-- > 0;) {
    const Leaf& leaf = leaves_[k];
    solution_[leaf.node] = (load_[leaf.node] + solution_[leaf.neighbour]) / pivot_[leaf.node];
  }
}

}  // namespace trellis
