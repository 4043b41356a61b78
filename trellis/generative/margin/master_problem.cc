#include "trellis/generative/margin/master_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trellis/solve/polytopes/simplex_qp.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kEnough = 1e-4;  // of what the slope promises (Armijo)
constexpr int kHalvings = 40;
constexpr double kNothing = 1e-14;  // an α that is as good as 0
constexpr int kSweeps = 3;          // over the sets, in the quadratic program of a step

}  // namespace

MasterProblem::MasterProblem(const ProximalDual& dual, Index num_sets, Index most)
    : dual_(&dual),
      most_(std::max<Index>(most, 2)),
      sets_(num_sets),
      mu_(dual.distributions().dimension(), 0.0) {}

Index MasterProblem::num_vertices() const {
  Index sum = 0;
  for (const auto& set : sets_) sum += set.size();
  return sum;
}

void MasterProblem::add(Index set, std::span<const double> mu, double omega) {
  auto& vertices = sets_[set];
  if (vertices.size() >= most_) {
    const auto longest = std::max_element(
        vertices.begin(), vertices.end(),
        [](const MarginVertex& a, const MarginVertex& b) { return a.idle < b.idle; });
    if (longest->idle > 0) {
      vertices.erase(longest);
    } else {
      merge(set);
    }
  }
  vertices.push_back({std::vector(mu.begin(), mu.end()), omega, vertices.empty() ? 1.0 : 0.0, 0});
}

void MasterProblem::merge(Index set) {
  MarginVertex all{std::vector(mu_.size(), 0.0), 0, 1, 0};
  for (const MarginVertex& vertex : sets_[set]) {
    axpy(vertex.alpha, vertex.mu, all.mu);
    all.omega += vertex.alpha * vertex.omega;
  }
  sets_[set].clear();
  sets_[set].push_back(std::move(all));
}

void MasterProblem::combine() {
  std::fill(mu_.begin(), mu_.end(), 0.0);
  omega_ = 0;
  for (const auto& set : sets_) {
    for (const MarginVertex& vertex : set) {
      if (vertex.alpha == 0) continue;
      axpy(vertex.alpha, vertex.mu, mu_);
      omega_ += vertex.alpha * vertex.omega;
    }
  }
}

double MasterProblem::evaluate() {
  combine();
  return omega_ + dual_->maximize(mu_, minimum_);
}

double MasterProblem::combined(Index set, std::span<const double> theta) const {
  double sum = 0;
  for (const MarginVertex& vertex : sets_[set]) {
    if (vertex.alpha > 0) sum += vertex.alpha * (vertex.omega + dot(vertex.mu, theta));
  }
  return sum;
}

double MasterProblem::find_movable(std::span<const std::uint8_t> active) {
  movable_.clear();
  double left = 0;
  for (Index k = 0; k < sets_.size(); ++k) {
    if (active[k] == 0) continue;
    const Index begin = movable_.size();
    double best = std::numeric_limits<double>::lowest(), mean = 0;
    for (MarginVertex& vertex : sets_[k]) {
      const double gradient = vertex.omega + dot(vertex.mu, minimum_.theta);
      best = std::max(best, gradient);
      mean += vertex.alpha * gradient;
      movable_.push_back({&vertex, k, gradient});
    }
    if (sets_[k].empty()) continue;
    left += std::max(0.0, best - mean);
    // Those that are at 0 and would decrease stay at 0 (Bertsekas 1982, Eq. 32).
    const auto stays = [mean](const Movable& one) {
      return one.vertex->alpha == 0 && one.gradient <= mean;
    };
    movable_.erase(std::remove_if(movable_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  movable_.end(), stays),
                   movable_.end());
  }
  return left;
}

// With rows V^½ μ^a that are perpendicular to V^½ e_i in every distribution of λ_i > 0, the Hessian
// is −rows · rows'.
void MasterProblem::fill_hessian() {
  const Distributions& distributions = dual_->distributions();
  const Index dimension = distributions.dimension(), n = movable_.size();
  rows_.resize(n * dimension);
  root_.resize(dimension);
  for (Index j = 0; j < dimension; ++j) root_[j] = std::sqrt(minimum_.flatness[j]);
  for (Index a = 0; a < n; ++a) {
    const auto row = std::span(rows_).subspan(a * dimension, dimension);
    const std::vector<double>& mu = movable_[a].vertex->mu;
    for (Index j = 0; j < dimension; ++j) row[j] = root_[j] * mu[j];
    for (Index i = 0; i < distributions.num(); ++i) {
      if (minimum_.lambda[i] == 0) continue;
      const Index begin = distributions.begin(i), end = distributions.end(i);
      double along = 0;
      for (Index j = begin; j < end; ++j) along += row[j] * (root_[j] * minimum_.exp_theta[j]);
      along /= minimum_.mass_falling[i];
      for (Index j = begin; j < end; ++j) row[j] -= along * (root_[j] * minimum_.exp_theta[j]);
    }
  }
  hessian_.resize(n * n);
  for (Index a = 0; a < n; ++a) {
    const auto row = std::span(rows_).subspan(a * dimension, dimension);
    for (Index b = 0; b <= a; ++b) {
      hessian_[a * n + b] = hessian_[b * n + a] =
          dot(row, std::span(rows_).subspan(b * dimension, dimension));
    }
  }
}

// The maximum of the second-order model of the value: g'(α' − α) − ½ (α' − α)'H(α' − α). With
// several sets, one after another while the others are fixed.
void MasterProblem::newton_target(std::vector<double>& target) const {
  const Index n = movable_.size();
  target.resize(n);
  std::vector<double> linear(n);  // g + Hα: the slope where all α are 0
  for (Index a = 0; a < n; ++a) target[a] = movable_[a].vertex->alpha;
  for (Index a = 0; a < n; ++a) {
    linear[a] = movable_[a].gradient + dot(std::span(hessian_).subspan(a * n, n), target);
  }
  const bool one_set = movable_.front().set == movable_.back().set;
  for (int sweep = 0; sweep < (one_set ? 1 : kSweeps); ++sweep) {
    for (Index begin = 0; begin < n;) {
      Index end = begin;
      while (end < n && movable_[end].set == movable_[begin].set) ++end;
      solve_set(begin, end, linear, target);
      begin = end;
    }
  }
}

void MasterProblem::solve_set(Index begin, Index end, std::span<const double> linear,
                              std::span<double> target) const {
  const Index n = movable_.size(), size = end - begin;
  std::vector<double> gram(size * size), slope(size);
  for (Index a = 0; a < size; ++a) {
    const auto row = std::span(hessian_).subspan((begin + a) * n, n);
    const auto own = row.subspan(begin, size);
    std::copy(own.begin(), own.end(), gram.begin() + static_cast<std::ptrdiff_t>(a * size));
    slope[a] = linear[begin + a] - dot(row, target) + dot(own, target.subspan(begin, size));
  }
  simplex_qp(gram, slope, target.subspan(begin, size));
}

// Backtracks from the target towards α, half the distance each time, until the value increases
// enough. Returns false, with α unchanged, if there is no gain.
bool MasterProblem::search(std::span<const double> target, double& value) {
  const Index n = movable_.size();
  std::vector<double> before(n);
  double promised = 0;
  for (Index a = 0; a < n; ++a) {
    before[a] = movable_[a].vertex->alpha;
    promised += movable_[a].gradient * (target[a] - before[a]);
  }
  double length = 1;
  for (int trial = 0; promised > 0 && trial < kHalvings; ++trial, length /= 2) {
    for (Index a = 0; a < n; ++a) {
      const double alpha = before[a] + length * (target[a] - before[a]);
      movable_[a].vertex->alpha = alpha > kNothing ? alpha : 0;
    }
    const double reached = evaluate();
    if (reached >= value + kEnough * length * promised) {
      value = reached;
      return true;
    }
  }
  for (Index a = 0; a < n; ++a) movable_[a].vertex->alpha = before[a];
  value = evaluate();
  return false;
}

double MasterProblem::maximize(std::span<const std::uint8_t> active, double tolerance,
                               Index most_steps) {
  double value = evaluate();
  std::vector<double> target;
  for (Index k = 0; k < most_steps; ++k) {
    if (find_movable(active) <= tolerance) break;
    fill_hessian();
    newton_target(target);
    if (!search(target, value)) break;
  }
  for (Index set = 0; set < sets_.size(); ++set) {
    if (active[set] == 0) continue;
    for (MarginVertex& vertex : sets_[set]) vertex.idle = vertex.alpha > 0 ? 0 : vertex.idle + 1;
  }
  return value;
}

void MasterProblem::restore(std::vector<std::vector<MarginVertex>> sets,
                            std::vector<double> lambda) {
  sets_ = std::move(sets);
  minimum_.lambda = std::move(lambda);
}

}  // namespace trellis
