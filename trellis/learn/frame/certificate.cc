#include "trellis/learn/frame/certificate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "trellis/base/error.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/solve/falling_root.h"

namespace trellis {
namespace {

// sign(x) · max(|x| − ρ, 0)
double soft_threshold(double x, double rho) {
  const double excess = std::abs(x) - rho;
  return excess > 0 ? std::copysign(excess, x) : 0.0;
}

}  // namespace

Certificate::Certificate(Index dimension, double lambda, double rho,
                         std::span<const WeightRange> nonnegative)
    : lambda_(lambda), rho_(rho), slope_(dimension, 0.0) {
  if (!(lambda >= 0) || !(rho >= 0)) throw UsageError("a penalty must not be negative");
  if (!nonnegative.empty()) nonnegative_.resize(dimension, false);
  for (const WeightRange& range : nonnegative) {
    for (Index j = range.begin; j < range.end; ++j) nonnegative_[j] = true;
  }
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

// −λ times the weight j that minimises λ/2 w² + ρ|w| + slope·w: the slope, moved towards 0 by ρ,
// and 0 if it pushes a weight of N below 0.
double Certificate::answer(Index j, double slope) const {
  const double pull = soft_threshold(slope, rho_);
  return pull > 0 && !nonnegative_.empty() && nonnegative_[j] ? 0.0 : pull;
}

// The root θ in [0, 1] of the derivative of D along the segment, which falls with θ:
//   D'(θ) = Δb − (1/λ) Σ_j answer(a_j + θ Δa_j) Δa_j.
double Certificate::best_step(std::span<const double> slope, double offset_change) const {
  const Blocks blocks(slope_.size());
  const auto derivative = [&](double step) {
    const auto [fall, curvature] = blocks.sums<2>([&](Block b) {
      std::array<double, 2> sums{};
      sums[0] = b.sum([&](Index j) {
        const double change = slope[j] - slope_[j];
        return answer(j, slope_[j] + step * change) * change;
      });
      sums[1] = b.sum([&](Index j) {
        const double change = slope[j] - slope_[j];
        const bool answers = rho_ == 0 && nonnegative_.empty();
        return answers || answer(j, slope_[j] + step * change) != 0 ? change * change : 0.0;
      });
      return sums;
    });
    return FallingValue{offset_change - fall / lambda_, curvature / lambda_};
  };
  if (rho_ > 0 || !nonnegative_.empty()) return falling_root(1, derivative);
  // One piece: the first Newton step is the answer.
  const FallingValue start = derivative(0);
  if (!(start.value > 0)) return 0;
  return start.fall > 0 ? std::min(start.value / start.fall, 1.0) : 1.0;
}

double Certificate::bound_of_combination() const {
  const double excess = Blocks(slope_.size()).sum([&](Block b) {
    return b.sum([&](Index j) {
      const double part = answer(j, slope_[j]);
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

// The largest s ≤ 1 with ‖s (a + θ Δa)‖_∞ ≤ ρ, where a slope that pushes a weight of N down counts
// for 0.
double Certificate::fitting_scale(std::span<const double> slope, double step) const {
  double peak = 0;
  for (Index j = 0; j < slope.size(); ++j) {
    const double mixed = slope_[j] + step * (slope[j] - slope_[j]);
    if (mixed > 0 && !nonnegative_.empty() && nonnegative_[j]) continue;
    peak = std::max(peak, std::abs(mixed));
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

Certified certify(const CutOracle& oracle, std::span<const double> w, double lambda, double rho,
                  int threads, Certificate& certificate) {
  CutRisk risk(oracle, threads);
  std::vector<double> slope(oracle.dimension());
  const LossBounds bounds = risk.evaluate(w, slope).value();
  certificate.add_cut(slope, bounds.value - inner_product(slope, w));
  return {penalty(w, lambda, rho) + bounds.upper, certificate.bound(), bounds.upper - bounds.value};
}

}  // namespace trellis
