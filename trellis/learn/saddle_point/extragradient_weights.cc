#include "trellis/learn/saddle_point/extragradient_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/learn/frame/blocks.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

class EuclideanWeightSteps final : public WeightSteps {
 public:
  EuclideanWeightSteps(const PartOracle& oracle, const WeightBallOptions& options,
                       std::vector<double> center)
      : set_(oracle, options),
        lambda_n_(options.lambda * static_cast<double>(oracle.num_examples())),
        center_(std::move(center)),
        center_norm_(center_.empty() ? 0.0 : set_.squared_norm(center_)) {}

  double from_center(std::span<const double> s, const SaddleScale& scale,
                     std::span<double> v) const override {
    const double pull = 1 / scale.sigma;
    const double b = pull + scale.mass * lambda_n_;
    Blocks(v.size()).each([&](Block block) {
      for (Index j = block.begin; j < block.end; ++j) {
        v[j] = ((center_.empty() ? 0.0 : pull * center_[j]) + s[j]) / b;
      }
    });
    // With x the point that is projected, the minimum is b/2 ‖v‖² − b⟨x, v⟩ + ‖ŵ‖²/2σ, and ⟨x, v⟩ =
    // ‖v‖²/factor: v is a part of x, scaled.
    const WeightSet::Projection projection = set_.project(v);
    return b * projection.squared_norm * (0.5 - 1 / projection.factor) + pull / 2 * center_norm_;
  }

  double from_point(std::span<const double> v, std::span<const double>, std::span<const double> g,
                    double a, const SaddleScale& scale, std::span<double> u) const override {
    const double b = 1 / scale.sigma + scale.mass * lambda_n_;
    const double total = b + a * lambda_n_;
    Blocks(u.size()).each([&](Block block) {
      for (Index j = block.begin; j < block.end; ++j) u[j] = (b * v[j] - a * g[j]) / total;
    });
    if (lambda_n_ == 0 && set_.contains_all()) return 0;
    return set_.project(u).squared_norm;
  }

  std::span<const double> center() const override { return center_; }
  double lipschitz_scale() const override { return 1; }

 private:
  WeightSet set_;
  double lambda_n_;
  std::vector<double> center_;
  double center_norm_;
};

class SimplexWeightSteps final : public WeightSteps {
 public:
  SimplexWeightSteps(const PartOracle& oracle, double radius)
      : radius_(radius), nonnegative_(oracle.nonnegative()), minus_(oracle.dimension()) {
    Index size = 2 * oracle.dimension() + 1;
    for (const WeightRange& range : nonnegative_) size -= range.end - range.begin;
    log_size_ = portable_log(static_cast<double>(size));
  }

  double from_center(std::span<const double> s, const SaddleScale& scale,
                     std::span<double> v) const override {
    const double rate = scale.sigma * radius_;
    for (Index j = 0; j < v.size(); ++j) v[j] = rate * s[j];
    return -(softmax_pairs(v) - log_size_) / scale.sigma;
  }

  double from_point(std::span<const double>, std::span<const double> s, std::span<const double> g,
                    double a, const SaddleScale& scale, std::span<double> u) const override {
    const double rate = scale.sigma * radius_;
    for (Index j = 0; j < u.size(); ++j) u[j] = rate * (s[j] - a * g[j]);
    softmax_pairs(u);
    return 0;
  }

  std::span<const double> center() const override { return {}; }
  // KL(p' ‖ p) ≥ ½‖p' − p‖₁², and ‖w' − w‖₂ ≤ ‖w' − w‖₁ ≤ R ‖p' − p‖₁.
  double lipschitz_scale() const override { return radius_; }

 private:
  // x_j are the log-potentials of p⁺_j, −x_j those of p⁻_j. x ← R (p⁺ − p⁻); returns log Σ.
  double softmax_pairs(std::span<double> x) const {
    for (Index j = 0; j < x.size(); ++j) minus_[j] = -x[j];
    for (const WeightRange& range : nonnegative_) {
      std::fill(minus_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                minus_.begin() + static_cast<std::ptrdiff_t>(range.end),
                -std::numeric_limits<double>::infinity());
    }
    const double shift = std::max({0.0, max_value(x), max_value(minus_)});
    exp_shifted(x, shift, x);
    exp_shifted(minus_, shift, minus_);
    const double total = portable_exp(-shift) + sum(x) + sum(minus_);
    axpy(-1, minus_, x);
    scale(radius_ / total, x);
    return shift + portable_log(total);
  }

  double radius_;
  std::span<const WeightRange> nonnegative_;
  double log_size_;
  mutable std::vector<double> minus_;  // one run, one call at a time
};

}  // namespace

std::unique_ptr<WeightSteps> make_weight_steps(const PartOracle& oracle,
                                               const WeightBallOptions& options,
                                               std::vector<double> center) {
  if (options.ball == WeightBall::kL1) {
    return std::make_unique<SimplexWeightSteps>(oracle, options.radius);
  }
  return std::make_unique<EuclideanWeightSteps>(oracle, options, std::move(center));
}

}  // namespace trellis
