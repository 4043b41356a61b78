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
    add_cut_scaled(slope, offset);
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

// Golden-section search for the best point of the segment.
void Certificate::add_cut_scaled(std::span<const double> slope, double offset) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSections = 40;
  const auto offset_at = [&](double step) { return offset_ + step * (offset - offset_); };
  const auto bound_at = [&](double step) { return offset_at(step) * fitting_scale(slope, step); };
  double low = 0;
  double high = 1;
  double best_step = 1;
  double best = bound_at(1);
  for (int k = 0; k < kSections; ++k) {
    const double left = high - kGolden * (high - low);
    const double right = low + kGolden * (high - low);
    const double at_left = bound_at(left);
    const double at_right = bound_at(right);
    at_left > at_right ? high = right : low = left;
    const double winner = std::max(at_left, at_right);
    if (winner > best) best_step = at_left > at_right ? left : right;
    best = std::max(best, winner);
  }
  if (!(best > bound_)) return;
  const double scale = fitting_scale(slope, best_step);
  offset_ = scale * offset_at(best_step);
  for (Index j = 0; j < slope.size(); ++j) {
    slope_[j] = scale * (slope_[j] + best_step * (slope[j] - slope_[j]));
  }
  bound_ = offset_;
}

// The largest s ≤ 1 with ‖s (a + θ Δa)‖_∞ ≤ ρ.
double Certificate::fitting_scale(std::span<const double> slope, double step) const {
  double peak = 0;
  for (Index j = 0; j < slope.size(); ++j) {
    peak = std::max(peak, std::abs(slope_[j] + step * (slope[j] - slope_[j])));
  }
  return peak > rho_ ? rho_ / peak : 1.0;
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
