#include "trellis/generative/margin/proximal_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kMassTolerance = 1e-14;
constexpr int kMostSteps = 200;
constexpr double kLargestTheta =
    50;  // no probability is near e⁵⁰, and its exponent is still finite

// The root u of e^u + u = y.
double root_of_exp_plus(double y) {
  // e^u ≤ y for u ≥ 0, and u ≤ y always: from above, Newton's method falls to the root.
  double u = y <= 1 ? y : portable_log(y);
  for (int step = 0; step < kMostSteps; ++step) {
    const double e = portable_exp(u);
    const double change = (e + u - y) / (e + 1);
    u -= change;
    if (std::abs(change) <= 1e-9 * std::max(1.0, std::abs(u))) break;  // the next would be 1e-18
  }
  return u;
}

}  // namespace

ProximalDual::ProximalDual(const Distributions& distributions, Divergence divergence,
                           std::span<const double> c, double gamma)
    : distributions_(&distributions),
      divergence_(divergence),
      c_(c),
      log_c_(c.size()),
      gamma_(gamma),
      centre_(distributions.dimension(), 0.0) {
  if (!(gamma > 0)) throw UsageError("the weight of the proximal term must be positive");
  for (Index j = 0; j < c.size(); ++j) log_c_[j] = portable_log(c[j]);
}

void ProximalDual::set_centre(std::span<const double> theta) {
  centre_.assign(theta.begin(), theta.end());
}

void ProximalDual::resize(InnerMinimum& minimum) const {
  const Index dimension = distributions_->dimension(), num = distributions_->num();
  minimum.theta.resize(dimension);
  minimum.exp_theta.resize(dimension);
  minimum.flatness.resize(dimension);
  minimum.lambda.resize(num, 0.0);
  minimum.mass.resize(num);
  minimum.mass_falling.resize(num);
}

void ProximalDual::solve_forward(Index i, std::span<const double> mu, double lambda,
                                 InnerMinimum& minimum) const {
  const double shift = lambda > 0 ? portable_log(lambda / gamma_) : 0;
  for (Index j = distributions_->begin(i); j < distributions_->end(i); ++j) {
    const double unbent = centre_[j] + (c_[j] - mu[j]) / gamma_;  // the root without λ
    minimum.theta[j] = lambda > 0 ? root_of_exp_plus(unbent + shift) - shift : unbent;
  }
}

void ProximalDual::solve_reverse(Index i, std::span<const double> mu, double lambda,
                                 InnerMinimum& minimum) const {
  for (Index j = distributions_->begin(i); j < distributions_->end(i); ++j) {
    // f' ≥ −c/e, so that this is above the root; the left-hand side is convex and rises.
    double x = std::min(kLargestTheta, centre_[j] + (c_[j] * kInverseE - mu[j]) / gamma_);
    for (int step = 0; step < kMostSteps; ++step) {
      const double e = portable_exp(x);
      const DivergenceAt f = divergence_at(divergence_, c_[j], log_c_[j], x, e);
      const double change = (f.slope + mu[j] + lambda * e + gamma_ * (x - centre_[j])) /
                            (f.curvature + lambda * e + gamma_);
      x -= change;
      if (std::abs(change) <= 1e-13 * std::max(1.0, std::abs(x))) break;
    }
    minimum.theta[j] = x;
  }
}

void ProximalDual::solve(Index i, std::span<const double> mu, double lambda,
                         InnerMinimum& minimum) const {
  if (divergence_ == Divergence::kForward) {
    solve_forward(i, mu, lambda, minimum);
  } else {
    solve_reverse(i, mu, lambda, minimum);
  }
  minimum.lambda[i] = lambda;
  measure(i, minimum);
}

void ProximalDual::measure(Index i, InnerMinimum& minimum) const {
  const Index begin = distributions_->begin(i), size = distributions_->size(i);
  exp_shifted(std::span(minimum.theta).subspan(begin, size), 0,
              std::span(minimum.exp_theta).subspan(begin, size));
  double mass = 0, falling = 0;
  for (Index j = begin; j < begin + size; ++j) {
    const double e = minimum.exp_theta[j];
    const double curvature =
        divergence_at(divergence_, c_[j], log_c_[j], minimum.theta[j], e).curvature;
    minimum.flatness[j] = 1 / (curvature + minimum.lambda[i] * e + gamma_);
    mass += e;
    falling += e * (e * minimum.flatness[j]);
  }
  minimum.mass[i] = mass;
  minimum.mass_falling[i] = falling;
}

double ProximalDual::value(Index i, std::span<const double> mu, const InnerMinimum& minimum) const {
  double value = minimum.lambda[i] * (minimum.mass[i] - 1);
  for (Index j = distributions_->begin(i); j < distributions_->end(i); ++j) {
    const double theta = minimum.theta[j], away = theta - centre_[j];
    value += divergence_at(divergence_, c_[j], log_c_[j], theta, minimum.exp_theta[j]).value +
             mu[j] * theta + gamma_ / 2 * away * away;
  }
  return value;
}

double ProximalDual::evaluate(std::span<const double> mu, InnerMinimum& minimum) const {
  resize(minimum);
  double sum = 0;
  for (Index i = 0; i < distributions_->num(); ++i) {
    solve(i, mu, minimum.lambda[i], minimum);
    sum += value(i, mu, minimum);
  }
  return sum;
}

// The mass falls in λ, and for large λ it is about Σ r / λ: Newton's method for 1/mass = 1, inside
// a bracket that every evaluation narrows.
void ProximalDual::maximize(Index i, std::span<const double> mu, InnerMinimum& minimum) const {
  double lambda = minimum.lambda[i];
  solve(i, mu, 0, minimum);
  if (minimum.mass[i] <= 1) return;
  double low = 0, high = std::numeric_limits<double>::infinity();
  if (!(lambda > 0)) lambda = gamma_;
  for (int step = 0; step < kMostSteps; ++step) {
    solve(i, mu, lambda, minimum);
    const double mass = minimum.mass[i];
    if (std::abs(mass - 1) <= kMassTolerance * static_cast<double>(distributions_->size(i))) return;
    (mass > 1 ? low : high) = lambda;
    double next = lambda + mass * (mass - 1) / minimum.mass_falling[i];
    if (!(next > low && next < high)) {
      next = std::isfinite(high) ? low + (high - low) / 2 : 4 * lambda;
    }
    if (next == lambda || next == low || next == high) return;
    lambda = next;
  }
}

double ProximalDual::maximize(std::span<const double> mu, InnerMinimum& minimum) const {
  resize(minimum);
  double sum = 0;
  for (Index i = 0; i < distributions_->num(); ++i) {
    maximize(i, mu, minimum);
    sum += value(i, mu, minimum);
  }
  return sum;
}

double ProximalDual::divergence(std::span<const double> theta) const {
  double sum = 0;
  for (Index j = 0; j < theta.size(); ++j) {
    sum += divergence_at(divergence_, c_[j], log_c_[j], theta[j], portable_exp(theta[j])).value;
  }
  return sum;
}

void shift_to_feasible(const Distributions& distributions, std::span<double> theta) {
  for (Index i = 0; i < distributions.num(); ++i) {
    const auto part = theta.subspan(distributions.begin(i), distributions.size(i));
    const double excess = log_sum_exp(part);
    if (!(excess > 0)) continue;
    for (double& x : part) x -= excess;
  }
}

void project_to_feasible(const Distributions& distributions, std::span<double> theta) {
  const std::vector<double> nothing(theta.size(), 0.0);
  ProximalDual projection(distributions, Divergence::kForward, nothing, 1);
  projection.set_centre(theta);
  InnerMinimum nearest;
  projection.maximize(nothing, nearest);
  std::copy(nearest.theta.begin(), nearest.theta.end(), theta.begin());
  shift_to_feasible(distributions, theta);
}

}  // namespace trellis
