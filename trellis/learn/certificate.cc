#include "trellis/learn/certificate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "trellis/base/error.h"
#include "trellis/learn/blocks.h"
#include "trellis/learn/risk.h"

namespace trellis {
namespace {

// sign(x) · max(|x| − ρ, 0)
double soft_threshold(double x, double rho) {
  const double excess = std::abs(x) - rho;
  return excess > 0 ? std::copysign(excess, x) : 0.0;
}

}  // namespace

Certificate::Certificate(Index dimension, double lambda, double rho)
    : lambda_(lambda), rho_(rho), slope_(dimension, 0.0) {
  if (!(lambda >= 0) || !(rho >= 0)) throw UsageError("a penalty must not be negative");
}

void Certificate::add_cut(std::span<const double> slope, double offset) {
  if (lambda_ == 0) {
    keep_better_scaled(slope, offset);
    return;
  }
  const double step = best_step(slope, offset - offset_);
  if (step == 0) return;
  const Blocks blocks(slope_.size());
  blocks.each([&](Block b) {
    for (Index j = b.begin; j < b.end; ++j) slope_[j] += step * (slope[j] - slope_[j]);
  });
  offset_ += step * (offset - offset_);
  bound_ = std::max(bound_, bound_of_combination());
}

// The root θ in [0, 1] of the derivative of D along the segment, which falls with θ:
//   D'(θ) = Δb − (1/λ) Σ_j soft(a_j + θ Δa_j) Δa_j.
// Any θ gives a valid cut, so the root need not be exact.
double Certificate::best_step(std::span<const double> slope, double offset_change) const {
  constexpr int kMaxSteps = 50;
  constexpr double kAccuracy = 1e-12;
  const Blocks blocks(slope_.size());
  const auto derivative = [&](double step) {
    const double sum = blocks.sum([&](Block b) {
      return b.sum([&](Index j) {
        const double change = slope[j] - slope_[j];
        return soft_threshold(slope_[j] + step * change, rho_) * change;
      });
    });
    return offset_change - sum / lambda_;
  };
  const auto curvature = [&](double step) {
    const double sum = blocks.sum([&](Block b) {
      return b.sum([&](Index j) {
        const double change = slope[j] - slope_[j];
        return std::abs(slope_[j] + step * change) >= rho_ ? change * change : 0.0;
      });
    });
    return sum / lambda_;
  };
  const double at_zero = derivative(0);
  if (!(at_zero > 0)) return 0;
  double low = 0;
  double high = 1;
  double step = 0;
  double value = at_zero;
  for (int k = 0; k < kMaxSteps; ++k) {
    const double bend = curvature(step);
    double next = bend > 0 ? step + value / bend : high;
    if (k == 0) next = std::min(next, 1.0);
    // With ρ = 0 the first Newton step is the answer.
    if (rho_ == 0) return next;
    if (!(next > low && next <= high)) next = (low + high) / 2;
    step = next;
    value = derivative(step);
    if (value > 0) {
      if (step == 1) return 1;
      low = step;
    } else {
      high = step;
    }
    if (std::abs(value) <= kAccuracy * at_zero || high - low <= kAccuracy) break;
  }
  return step;
}

double Certificate::bound_of_combination() const {
  const double excess = Blocks(slope_.size()).sum([&](Block b) {
    return b.sum([&](Index j) {
      const double part = soft_threshold(slope_[j], rho_);
      return part * part;
    });
  });
  return offset_ - excess / (2 * lambda_);
}

void Certificate::keep_better_scaled(std::span<const double> slope, double offset) {
  double peak = 0;
  for (const double value : slope) peak = std::max(peak, std::abs(value));
  const double scale = peak > rho_ ? rho_ / peak : 1.0;
  if (!(scale * offset > bound_)) return;
  for (Index j = 0; j < slope.size(); ++j) slope_[j] = scale * slope[j];
  offset_ = scale * offset;
  bound_ = offset_;
}

void Certificate::save(Checkpoint& checkpoint, std::string_view prefix) const {
  const std::string name(prefix);
  checkpoint.put(name + "/slope", slope_);
  const double scalars[] = {offset_, bound_};
  checkpoint.put(name + "/scalars", scalars);
}

void Certificate::load(const Checkpoint& checkpoint, std::string_view prefix) {
  const std::string name(prefix);
  double scalars[2];
  checkpoint.get(name + "/slope", slope_);
  checkpoint.get(name + "/scalars", scalars);
  offset_ = scalars[0];
  bound_ = scalars[1];
}

Certified certify(const ConvexOracle& oracle, std::span<const double> w, double lambda, double rho,
                  int threads, Certificate& certificate) {
  Risk risk(oracle, threads);
  std::vector<double> slope(oracle.dimension());
  const double value = risk.evaluate(w, slope).value();
  certificate.add_cut(slope, value - inner_product(slope, w));
  const double objective = penalty(w, lambda, rho) + value;
  const double bound = certificate.bound();
  return {objective, bound, std::max(0.0, objective - bound)};
}

}  // namespace trellis
