#include "trellis/learn/saddle_point/weight_ball.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

void WeightBallOptions::validate(const PartOracle& oracle, std::string_view learner) const {
  const auto refuse = [&](std::string_view what) {
    throw UsageError(fmt::format("{} {}", learner, what));
  };
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (!(lambda >= 0 && std::isfinite(lambda))) refuse("needs a finite lambda >= 0");
  if (ball != WeightBall::kNone && !(radius > 0 && std::isfinite(radius))) {
    refuse("needs the radius of its ball, above 0 and finite");
  }
  if (ball != WeightBall::kL1) return;
  if (lambda > 0) refuse("takes a ball in the 1-norm or a penalty lambda, not both");
  if (oracle.implicit_features()) {
    refuse("cannot bound the 1-norm of weights that exist only in a kernel");
  }
}

std::string WeightBallOptions::identity() const {
  return fmt::format("lambda={:a} ball={} radius={:a}", lambda, static_cast<int>(ball), radius);
}

WeightSet::Projection WeightSet::project(std::span<double> w) const {
  clip(oracle_->nonnegative(), w);
  if (options_.ball == WeightBall::kL1) shrink_to_l1_ball(w);
  const double norm2 = squared_norm(w);
  if (options_.ball != WeightBall::kEuclidean || norm2 <= options_.radius * options_.radius) {
    return {norm2, 1};
  }
  const double factor = options_.radius / std::sqrt(norm2);
  scale(factor, w);
  return {options_.radius * options_.radius, factor};
}

// τ solves Σ_j max(|w_j| − τ, 0) = R: with the k largest entries it is (their sum − R)/k, and k is
// the largest for which the smallest of them stays above τ.
void WeightSet::shrink_to_l1_ball(std::span<double> w) const {
  std::vector<double> size(w.size());
  for (Index j = 0; j < w.size(); ++j) size[j] = std::abs(w[j]);
  if (sum(size) <= options_.radius) return;
  std::sort(size.begin(), size.end(), std::greater<>());
  double total = 0;
  double tau = 0;
  for (Index k = 0; k < size.size(); ++k) {
    total += size[k];
    const double candidate = (total - options_.radius) / static_cast<double>(k + 1);
    if (size[k] <= candidate) break;
    tau = candidate;
  }
  for (double& weight : w) {
    weight = std::copysign(std::max(0.0, std::abs(weight) - tau), weight);
  }
}

double WeightSet::minimum(std::span<double> g) const {
  for (const WeightRange& range : oracle_->nonnegative()) {
    for (Index j = range.begin; j < range.end; ++j) g[j] = std::min(g[j], 0.0);
  }
  if (options_.ball == WeightBall::kL1) {
    double peak = 0;
    for (const double slope : g) peak = std::max(peak, std::abs(slope));
    return -options_.radius * peak;
  }
  const double norm = std::sqrt(std::max(0.0, squared_norm(g)));
  if (norm == 0) return 0;
  const double lambda_n = options_.lambda * static_cast<double>(oracle_->num_examples());
  const double radius = options_.ball == WeightBall::kNone ? std::numeric_limits<double>::infinity()
                                                           : options_.radius;
  const double r = lambda_n > 0 ? std::min(radius, norm / lambda_n) : radius;
  return std::isinf(r) ? -r : lambda_n / 2 * r * r - r * norm;
}

}  // namespace trellis
