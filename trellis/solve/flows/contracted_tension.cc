#include "trellis/solve/flows/contracted_tension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace trellis {
namespace {

constexpr int kMaxNewtonSteps = 100;
constexpr int kMaxHalvings = 40;
constexpr int kMaxConjugateSteps = 1000;
constexpr double kLeastReduction =
    1e-10;  // what conjugate gradients can do before rounding stops them

}  // namespace

double ContractedTension::gradient(std::span<const double> x) {
  double objective = 0;
  for (Index c = 0; c < x.size(); ++c) {
    objective += x[c] * (0.5 * weight[c] * x[c] - moment[c]);
    gradient_[c] = weight[c] * x[c] - moment[c];
  }
  for (const Edge& e : edges) {
    const double t = x[e.c] - x[e.d];
    const double excess = stretch(t, e.slack);
    objective += e.pull * t + 0.5 * excess * excess;
    gradient_[e.c] += e.pull + excess;
    gradient_[e.d] -= e.pull + excess;
  }
  return objective;
}

void ContractedTension::estimate_noise() {
  for (Index c = 0; c < noise_.size(); ++c) noise_[c] = weight[c] + std::abs(moment[c]);
  for (const Edge& e : edges) {
    noise_[e.c] += 1 + std::abs(e.pull);
    noise_[e.d] += 1 + std::abs(e.pull);
  }
  for (double& noise : noise_) noise *= std::numeric_limits<double>::epsilon();
}

double ContractedTension::projected_gradient(std::span<const double> x) const {
  double largest = 0;
  for (Index c = 0; c < x.size(); ++c) {
    const bool held = (x[c] <= 0 && gradient_[c] > 0) || (x[c] >= 1 && gradient_[c] < 0);
    const double size = std::abs(gradient_[c]);
    if (!held && size > noise_[c]) largest = std::max(largest, size);
  }
  return largest;
}

void ContractedTension::choose_free(std::span<const double> x) {
  for (Index c = 0; c < x.size(); ++c) {
    const bool held = (x[c] <= 0 && gradient_[c] > 0) || (x[c] >= 1 && gradient_[c] < 0);
    free_[c] = !held;
    diagonal_[c] = weight[c];
  }
  stretched_.clear();
  for (const Edge& e : edges) {
    if (std::abs(x[e.c] - x[e.d]) <= e.slack && e.slack > 0) continue;
    if (free_[e.c] == 0 && free_[e.d] == 0) continue;
    stretched_.push_back({e.c, e.d});
    diagonal_[e.c] += 1;
    diagonal_[e.d] += 1;
  }
}

void ContractedTension::multiply(std::span<const double> p, std::span<double> q) const {
  for (Index c = 0; c < p.size(); ++c) q[c] = weight[c] * p[c];
  for (const Stretched& e : stretched_) {
    const double t = p[e.c] - p[e.d];
    q[e.c] += t;
    q[e.d] -= t;
  }
  for (Index c = 0; c < p.size(); ++c) q[c] = free_[c] != 0 ? q[c] : 0;
}

// Conjugate gradients, preconditioned by the diagonal. Fixed groups have direction 0 throughout.
void ContractedTension::newton_direction(double reduction) {
  const Index size = gradient_.size();
  double before = 0;
  for (Index c = 0; c < size; ++c) {
    direction_[c] = 0;
    residual_[c] = free_[c] != 0 ? -gradient_[c] : 0;
    p_[c] = residual_[c] / diagonal_[c];
    before += residual_[c] * p_[c];
  }
  const double enough = before * reduction * reduction;
  for (int step = 0; step < kMaxConjugateSteps && before > enough; ++step) {
    multiply(p_, q_);
    double curvature = 0;
    for (Index c = 0; c < size; ++c) curvature += p_[c] * q_[c];
    if (!(curvature > 0)) return;
    const double alpha = before / curvature;
    double after = 0;
    for (Index c = 0; c < size; ++c) {
      direction_[c] += alpha * p_[c];
      residual_[c] -= alpha * q_[c];
      after += residual_[c] * residual_[c] / diagonal_[c];
    }
    const double beta = after / before;
    for (Index c = 0; c < size; ++c) p_[c] = residual_[c] / diagonal_[c] + beta * p_[c];
    before = after;
  }
}

double ContractedTension::minimize(std::span<double> x, double tolerance) {
  const Index size = x.size();
  assert(weight.size() == size && moment.size() == size);
  for (auto* v : {&gradient_, &direction_, &residual_, &p_, &q_, &diagonal_, &trial_, &noise_}) {
    v->resize(size);
  }
  free_.resize(size);
  estimate_noise();
  double objective = gradient(x);
  double left = projected_gradient(x);
  double reduction = 0.01;
  for (int step = 0; step < kMaxNewtonSteps && left > tolerance; ++step) {
    choose_free(x);
    // While the sets of fixed groups and of stretched edges still change, less accuracy suffices.
    newton_direction(std::max({0.1 * tolerance / left, reduction, kLeastReduction}));
    reduction *= 0.01;
    bool better = false;
    double tau = 1;
    for (int halving = 0; halving < kMaxHalvings && !better; ++halving, tau /= 2) {
      for (Index c = 0; c < size; ++c) {
        trial_[c] = std::clamp(x[c] + tau * direction_[c], 0.0, 1.0);
      }
      const double trial_objective = gradient(trial_);
      const double trial_left = projected_gradient(trial_);
      // Near the minimum the objective is blind with rounding, and the gradient is not.
      better = trial_left <= 0.5 * left || trial_objective < objective;
      if (!better) continue;
      objective = trial_objective;
      left = trial_left;
      std::copy(trial_.begin(), trial_.end(), x.begin());
    }
    if (!better) break;
  }
  return left;
}

}  // namespace trellis
