#include "trellis/solve/flows/tension_projection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace trellis {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kTolerance = 1e-11;  // of the residual
// Of the contracted problem: at first, and in the end.
constexpr double kCoarsest = 1e-2;
constexpr double kFinest = 1e-14;
constexpr Index kMaxRounds = 1000;
constexpr Index kMaxIdleRounds = 4;  // in which the objective does not fall, but for rounding
constexpr int kBisections = 100;

double sign_of(double t) {
  return static_cast<double>((t > 0) - (t < 0));
}

// w and d of an edge, see the header.
double kink(double edge_v) {
  return std::max(0.0, -edge_v);
}

double slack(double edge_v) {
  return std::max(0.0, edge_v);
}

bool is_free(double z, double pull) {
  return pull > 0 ? z > 0 : z < 1;
}

}  // namespace

void TensionProjection::set_graph(Index num_nodes, std::span<const NodePair> edges) {
  max_flow_.set_graph(num_nodes, edges);
  edges_.assign(edges.begin(), edges.end());
  gradient_.resize(num_nodes);
  unbalanced_.resize(num_nodes);
  trial_.resize(num_nodes);
  pull_.resize(num_nodes);
  group_.resize(num_nodes);
  capacity_.resize(edges.size());
  sign_.resize(edges.size());
}

TensionProjection::Problem TensionProjection::make_problem(std::span<const double> a,
                                                           std::span<const double> v,
                                                           std::span<const double> edge_v) const {
  assert(a.size() == group_.size() && v.size() == group_.size());
  assert(edge_v.size() == edges_.size());
  Problem problem = {a, v, edge_v, 1, 0};
  for (const double value : v) problem.scale = std::max(problem.scale, std::abs(value));
  for (const double value : edge_v) problem.scale = std::max(problem.scale, kink(value));
  for (Index j = 0; j < v.size(); ++j) problem.noise += a[j] * (1 + std::abs(v[j]));
  for (const double value : edge_v) problem.noise += 1 + kink(value);
  problem.noise *= 16 * kEpsilon;
  return problem;
}

// Minus its value at z = 0, which would dominate the rest if v is large.
double TensionProjection::objective(const Problem& problem, std::span<const double> z) const {
  double sum = 0;
  for (Index j = 0; j < z.size(); ++j) sum += problem.a[j] * z[j] * (0.5 * z[j] - problem.v[j]);
  for (Index e = 0; e < edges_.size(); ++e) {
    const double t = z[edges_[e].j] - z[edges_[e].k];
    const double excess = stretch(t, slack(problem.edge_v[e]));
    sum += kink(problem.edge_v[e]) * std::abs(t) + 0.5 * excess * excess;
  }
  return sum;
}

// The pulls at all nodes, and what of them the fused edges cannot balance.
void TensionProjection::balance(const Problem& problem, std::span<const double> z) {
  for (Index j = 0; j < z.size(); ++j) gradient_[j] = problem.a[j] * (z[j] - problem.v[j]);
  for (Index e = 0; e < edges_.size(); ++e) {
    const auto [j, k] = edges_[e];
    const double t = z[j] - z[k];
    const double w = kink(problem.edge_v[e]);
    const double force = w * sign_of(t) + stretch(t, slack(problem.edge_v[e]));
    gradient_[j] += force;
    gradient_[k] -= force;
    capacity_[e] = t == 0 ? w : 0;
  }
  max_flow_.solve(gradient_, capacity_, capacity_);
  for (Index j = 0; j < z.size(); ++j) unbalanced_[j] = max_flow_.excess(j);
}

// Which nodes are pulled where, group by group; false if nothing moves. Groups whose nodes feel no
// more than the tolerance and the rounding of their sums are left alone.
bool TensionProjection::find_pulls(const Problem& problem, std::span<const double> z) {
  strongest_.assign(num_groups_, 0);
  bound_.assign(num_groups_, kTolerance * problem.scale);
  for (Index j = 0; j < z.size(); ++j) {
    const Index c = group_[j];
    if (is_free(z[j], unbalanced_[j])) {
      strongest_[c] = std::max(strongest_[c], std::abs(unbalanced_[j]));
    }
    bound_[c] += 2 * kEpsilon * problem.a[j] * problem.scale;
  }
  bool any = false;
  for (Index j = 0; j < z.size(); ++j) {
    pull_[j] = 0;
    if (strongest_[group_[j]] <= bound_[group_[j]]) continue;
    if (max_flow_.on_source_side(j) && z[j] > 0) pull_[j] = -1;
    if (max_flow_.on_sink_side(j) && z[j] < 1) pull_[j] = 1;
    any = any || pull_[j] != 0;
  }
  return any;
}

double TensionProjection::largest_pull(std::span<const double> z) const {
  double largest = 0;
  for (Index j = 0; j < z.size(); ++j) {
    if (is_free(z[j], unbalanced_[j])) largest = std::max(largest, std::abs(unbalanced_[j]));
  }
  return largest;
}

std::uint32_t TensionProjection::root(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void TensionProjection::unite(std::uint32_t i, std::uint32_t k) {
  i = root(i);
  k = root(k);
  parent_[std::max(i, k)] = std::min(i, k);
}

// Groups are the components of the kinked edges that satisfy `fused`, numbered by first nodes.
template <class Fused>
void TensionProjection::group_nodes(const Problem& problem, const Fused& fused) {
  parent_.resize(group_.size());
  std::iota(parent_.begin(), parent_.end(), 0u);
  for (Index e = 0; e < edges_.size(); ++e) {
    if (kink(problem.edge_v[e]) > 0 && fused(e)) unite(edges_[e].j, edges_[e].k);
  }
  num_groups_ = 0;
  for (std::uint32_t j = 0; j < group_.size(); ++j) {
    group_[j] = root(j) == j ? static_cast<std::uint32_t>(num_groups_++) : group_[root(j)];
  }
}

// Which end of an edge is higher, or will be.
void TensionProjection::choose_signs(std::span<const double> z) {
  for (Index e = 0; e < edges_.size(); ++e) {
    const auto [j, k] = edges_[e];
    sign_[e] = z[j] != z[k] ? sign_of(z[j] - z[k]) : sign_of(pull_[j] - pull_[k]);
  }
}

void TensionProjection::contract(const Problem& problem) {
  contracted_.weight.assign(num_groups_, 0);
  contracted_.moment.assign(num_groups_, 0);
  contracted_.edges.clear();
  x_.assign(num_groups_, 0);
  for (Index j = 0; j < trial_.size(); ++j) {
    contracted_.weight[group_[j]] += problem.a[j];
    contracted_.moment[group_[j]] += problem.a[j] * problem.v[j];
    x_[group_[j]] += problem.a[j] * trial_[j];
  }
  for (Index c = 0; c < num_groups_; ++c) {
    x_[c] = std::clamp(x_[c] / contracted_.weight[c], 0.0, 1.0);
  }
  for (Index e = 0; e < edges_.size(); ++e) {
    const std::uint32_t c = group_[edges_[e].j], d = group_[edges_[e].k];
    const double edge_v = problem.edge_v[e];
    if (c == d || edge_v >= 1) continue;  // a slack of 1 is never used up
    contracted_.edges.push_back({c, d, sign_[e] * kink(edge_v), slack(edge_v)});
  }
}

// Unites groups that ran into each other: kinked edges whose ends have changed places.
bool TensionProjection::merge_groups(const Problem& problem) {
  parent_.resize(num_groups_);
  std::iota(parent_.begin(), parent_.end(), 0u);
  bool merged = false;
  for (Index e = 0; e < edges_.size(); ++e) {
    const std::uint32_t c = group_[edges_[e].j], d = group_[edges_[e].k];
    if (kink(problem.edge_v[e]) == 0 || sign_[e] * (x_[c] - x_[d]) >= 0) continue;
    unite(c, d);
    merged = true;
  }
  if (!merged) return false;
  std::uint32_t groups = 0;
  number_.resize(num_groups_);
  for (std::uint32_t c = 0; c < num_groups_; ++c) {
    number_[c] = root(c) == c ? groups++ : number_[root(c)];
  }
  for (std::uint32_t& c : group_) c = number_[c];
  num_groups_ = groups;
  return true;
}

// trial_: in and out, from where the groups start and where they go.
void TensionProjection::move_groups(const Problem& problem, double tolerance) {
  do {
    contract(problem);
    contracted_.minimize(x_, tolerance * problem.scale);
    for (Index j = 0; j < trial_.size(); ++j) trial_[j] = x_[group_[j]];
  } while (merge_groups(problem));
}

// Along the pulls alone, by the best common step: a steepest descent in the maximum norm
// (Kolmogorov & Shioura 2009), which never fails.
void TensionProjection::descend(const Problem& problem, std::span<double> z) const {
  double low = 0, high = 1;
  for (Index j = 0; j < z.size(); ++j) {
    if (pull_[j] != 0) high = std::min(high, pull_[j] < 0 ? z[j] : 1 - z[j]);
  }
  const auto slope = [&](double tau) {
    double sum = 0;
    for (Index j = 0; j < z.size(); ++j) {
      sum += pull_[j] * problem.a[j] * (z[j] + tau * pull_[j] - problem.v[j]);
    }
    for (Index e = 0; e < edges_.size(); ++e) {
      const auto [j, k] = edges_[e];
      const double turn = pull_[j] - pull_[k];
      const double t = z[j] - z[k] + tau * turn;
      const double w = kink(problem.edge_v[e]);
      sum += turn * stretch(t, slack(problem.edge_v[e]));
      sum += t == 0 ? w * std::abs(turn) : w * turn * sign_of(t);
    }
    return sum;
  };
  if (slope(high) <= 0) low = high;
  for (int i = 0; i < kBisections && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(middle) <= 0 ? low : high) = middle;
  }
  for (Index j = 0; j < z.size(); ++j) z[j] = std::clamp(z[j] + low * pull_[j], 0.0, 1.0);
}

// Newton's step for the groups; false if the objective does not fall. Less accuracy will do while
// groups still fall apart, but it is not always enough to fall.
bool TensionProjection::newton_step(const Problem& problem, double accuracy, double highest,
                                    std::span<const double> z) {
  for (const double tolerance : {accuracy, kFinest}) {
    group_nodes(problem,
                [&](Index e) { return z[edges_[e].j] == z[edges_[e].k] && sign_[e] == 0; });
    const bool cheap = 16 * num_groups_ <= z.size();
    std::copy(z.begin(), z.end(), trial_.begin());
    move_groups(problem, cheap ? kFinest : tolerance);
    if (objective(problem, trial_) <= highest) return true;
  }
  return false;
}

TensionSummary TensionProjection::project(std::span<const double> a, std::span<const double> v,
                                          std::span<const double> edge_v, std::span<double> z) {
  assert(z.size() == group_.size());
  const Problem problem = make_problem(a, v, edge_v);
  // All that can be fused is, at first.
  group_nodes(problem, [](Index) { return true; });
  std::fill(sign_.begin(), sign_.end(), 0.0);
  for (Index j = 0; j < z.size(); ++j) trial_[j] = std::clamp(v[j], 0.0, 1.0);
  move_groups(problem, kCoarsest);
  std::copy(trial_.begin(), trial_.end(), z.begin());
  double best = objective(problem, z);
  TensionSummary summary;
  for (Index idle = 0;;) {
    ++summary.rounds;
    balance(problem, z);
    group_nodes(problem, [&](Index e) { return z[edges_[e].j] == z[edges_[e].k]; });
    summary.residual = largest_pull(z) / problem.scale;
    if (!find_pulls(problem, z) || idle > kMaxIdleRounds || summary.rounds == kMaxRounds) break;
    choose_signs(z);
    const double accuracy = kCoarsest * summary.residual * summary.residual;
    if (newton_step(problem, std::max(accuracy, kFinest), best + problem.noise, z)) {
      std::copy(trial_.begin(), trial_.end(), z.begin());
    } else {
      descend(problem, z);
    }
    const double now = objective(problem, z);
    idle = now < best - problem.noise ? 0 : idle + 1;
    best = std::min(best, now);
  }
  return summary;
}

double TensionProjection::residual(std::span<const double> a, std::span<const double> v,
                                   std::span<const double> edge_v, std::span<const double> z) {
  const Problem problem = make_problem(a, v, edge_v);
  balance(problem, z);
  return largest_pull(z) / problem.scale;
}

}  // namespace trellis
