#include "trellis/generative/margin/lower_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

LowerBound::LowerBound(const Distributions& distributions, Divergence divergence,
                       std::span<const double> c)
    : distributions_(&distributions),
      divergence_(divergence),
      c_(c),
      log_c_(c.size()),
      mu_(c.size(), 0.0),
      mixed_(c.size()),
      theta_(c.size()) {
  for (Index j = 0; j < c.size(); ++j) log_c_[j] = portable_log(c[j]);
  value_ = along(0, mu_, 0).value;
}

double LowerBound::inner(Index i, std::span<const double> mu, std::span<double> theta) const {
  if (divergence_ == Divergence::kReverse) return inner_reverse(i, mu, theta);
  const Index begin = distributions_->begin(i), end = distributions_->end(i);
  double total = 0;
  for (Index j = begin; j < end; ++j) total += c_[j] - mu[j];
  if (!(total > 0)) {  // f + μ'θ is 0 for every θ
    for (Index j = begin; j < end; ++j) theta[j] = 0;
    return 0;
  }
  const double log_total = portable_log(total);
  double value = total * log_total;
  for (Index j = begin; j < end; ++j) {
    const double r = c_[j] - mu[j];
    const double log_r = portable_log(r);
    if (r > 0) value -= r * log_r;
    theta[j] = log_r - log_total;
  }
  return value;
}

namespace {

// Where f(x) + μ x + λ e^x of the reverse divergence is least, for μ < c/e and λ ≥ 0.
double reverse_minimum(double c, double log_c, double mu, double lambda) {
  const double inflection = log_c - 1;
  const double there = mu - c * kInverseE + lambda * (c * kInverseE);
  if (there >= 0) return portable_log((c * kInverseE - mu) / lambda);  // on the tangent
  double x = std::max(log_c, 0.0) + 1;  // e^x (x − ln c + λ) + μ is convex and rises from there on
  while (portable_exp(x) * (x - log_c + lambda) + mu < 0) x += 1;
  for (int step = 0; step < 200; ++step) {
    const double e = portable_exp(x);
    const double change = (e * (x - log_c + lambda) + mu) / (e * (x - log_c + lambda + 1));
    x = std::max(inflection, x - change);
    if (std::abs(change) <= 1e-13) break;
  }
  return x;
}

}  // namespace

// Without a closed form: −λ + min_θ f + μ'θ + λ 1'e^θ is a bound for every λ ≥ 0, and best where
// the mass is 1 (or λ = 0, and the mass is less).
double LowerBound::inner_reverse(Index i, std::span<const double> mu,
                                 std::span<double> theta) const {
  const Index begin = distributions_->begin(i), end = distributions_->end(i);
  const auto mass_at = [&](double lambda) {
    double mass = 0;
    for (Index j = begin; j < end; ++j) {
      theta[j] = reverse_minimum(c_[j], log_c_[j], mu[j], lambda);
      mass += portable_exp(theta[j]);
    }
    return mass;
  };
  double lambda = 0;
  if (mass_at(0) > 1) {
    double low = 0, high = 1;
    while (mass_at(high) > 1) low = std::exchange(high, 2 * high);
    for (int halving = 0; halving < 60; ++halving) {
      lambda = low + (high - low) / 2;
      (mass_at(lambda) > 1 ? low : high) = lambda;
    }
  }
  double value = lambda * (mass_at(lambda) - 1);
  for (Index j = begin; j < end; ++j) {
    const double e = portable_exp(theta[j]);
    value += divergence_at(divergence_, c_[j], log_c_[j], theta[j], e).value + mu[j] * theta[j];
  }
  return value;
}

LowerBound::Along LowerBound::along(double t, std::span<const double> mu, double omega) {
  for (Index j = 0; j < mu_.size(); ++j) mixed_[j] = (1 - t) * mu_[j] + t * mu[j];
  Along at{(1 - t) * omega_ + t * omega, omega - omega_};
  for (Index i = 0; i < distributions_->num(); ++i) at.value += inner(i, mixed_, theta_);
  for (Index j = 0; j < mu_.size(); ++j) {
    const double change = mu[j] - mu_[j];
    if (change != 0) at.slope += change * theta_[j];
  }
  return at;
}

// The largest share of (μ, ω) that is in the domain; what is left is that of the origin.
double LowerBound::largest_share(std::span<const double> mu) const {
  double share = 1;
  for (Index j = 0; j < mu.size(); ++j) {
    const double limit = largest_slope(divergence_, c_[j]);
    if (mu[j] > limit) share = std::min(share, limit / mu[j]);
  }
  // The reverse divergence has no minimum on the border.
  if (share < 1 && divergence_ == Divergence::kReverse) share *= 1 - 1e-9;
  return share;
}

void LowerBound::update(std::span<const double> mu, double omega) {
  constexpr int kHalvings = 30;
  const double share = largest_share(mu);
  target_.resize(mu.size());
  for (Index j = 0; j < mu.size(); ++j) target_[j] = share * mu[j];
  const double target_omega = share * omega;
  double low = 0, high = 1;
  Along at = along(1, target_, target_omega);
  double best = at.value > value_ ? 1 : 0, best_value = std::max(value_, at.value);
  // The bound rises at the end: there is the best. Else it is where the slope changes its sign.
  for (int k = 0; k < kHalvings && !(high == 1 && at.slope >= 0); ++k) {
    const double t = low + (high - low) / 2;
    at = along(t, target_, target_omega);
    if (at.value > best_value) {
      best_value = at.value;
      best = t;
    }
    (at.slope > 0 ? low : high) = t;
  }
  if (best == 0) return;
  for (Index j = 0; j < mu_.size(); ++j) mu_[j] = (1 - best) * mu_[j] + best * target_[j];
  omega_ = (1 - best) * omega_ + best * target_omega;
  value_ = best_value;
}

void LowerBound::restore(State state) {
  mu_ = std::move(state.mu);
  omega_ = state.omega;
  value_ = state.value;
}

}  // namespace trellis
