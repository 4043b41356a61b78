#include "trellis/solve/smooth_minimum.h"

#include <algorithm>
#include <ranges>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kMostTrials = 10;  // of one search

}  // namespace

// direction_ ← −H gradient_; without pairs a multiple of −gradient_.
void SmoothMinimizer::choose_direction(const SmoothMinimumOptions& options) {
  direction_.assign(gradient_.begin(), gradient_.end());
  if (pairs_used_ == 0) {
    scale(-options.first_step, direction_);
    return;
  }
  shares_.resize(pairs_.size());
  for (Index k = 0; k < pairs_used_; ++k) {
    const Index i = (newest_ + pairs_.size() - k) % pairs_.size();
    shares_[i] = pairs_[i].inverse_curvature * dot(pairs_[i].step, direction_);
    axpy(-shares_[i], pairs_[i].change, direction_);
  }
  const Pair& latest = pairs_[newest_];
  scale(1 / (latest.inverse_curvature * squared_norm(latest.change)), direction_);
  for (Index k = pairs_used_; k-- > 0;) {
    const Index i = (newest_ + pairs_.size() - k) % pairs_.size();
    const double along = pairs_[i].inverse_curvature * dot(pairs_[i].change, direction_);
    axpy(shares_[i] - along, pairs_[i].step, direction_);
  }
  scale(-1, direction_);
}

// Stores the pair of the step from x to point_.
void SmoothMinimizer::remember(const SmoothMinimumOptions& options, std::span<const double> x) {
  const Index next = pairs_used_ == 0 ? 0 : (newest_ + 1) % options.history;
  Pair& pair = pairs_[next];
  pair.step.assign(point_.begin(), point_.end());
  axpy(-1, x, pair.step);
  pair.change.assign(next_gradient_.begin(), next_gradient_.end());
  axpy(-1, gradient_, pair.change);
  const double curvature = dot(pair.step, pair.change);
  if (curvature <= 1e-12 * squared_norm(pair.change)) return;
  pair.inverse_curvature = 1 / curvature;
  newest_ = next;
  pairs_used_ = std::min(pairs_used_ + 1, options.history);
}

// Searches a better point_ along direction_; false if there is none, or no evaluation is left.
bool SmoothMinimizer::search(SmoothFunction& function, const SmoothMinimumOptions& options,
                             std::span<double> x, double& value) {
  const double slope = dot(gradient_, direction_);
  if (!(slope < 0)) return false;
  WolfeSearch line(value, slope, 1.0, kMostTrials);
  LineSearchStatus status = LineSearchStatus::kEvaluate;
  double next = value;
  while (status == LineSearchStatus::kEvaluate) {
    if (evaluations_ == options.max_evaluations) return false;
    point_.assign(x.begin(), x.end());
    axpy(line.step(), direction_, point_);
    next = function.evaluate(point_, next_gradient_);
    ++evaluations_;
    status = line.feed(next, dot(next_gradient_, direction_));
  }
  if (status == LineSearchStatus::kFailed || next > value) return false;
  value = next;
  return true;
}

double SmoothMinimizer::minimize(SmoothFunction& function, const SmoothMinimumOptions& options,
                                 std::span<double> x) {
  pairs_.resize(options.history);
  pairs_used_ = 0;
  gradient_.resize(x.size());
  next_gradient_.resize(x.size());
  double value = function.evaluate(x, gradient_);
  evaluations_ = 1;
  bool done = function.accept();
  while (!done && squared_norm(gradient_) > 0) {
    choose_direction(options);
    if (!search(function, options, x, value)) {
      if (pairs_used_ == 0 || evaluations_ == options.max_evaluations) break;
      pairs_used_ = 0;  // once more, by the gradient alone
      continue;
    }
    remember(options, x);
    std::ranges::copy(point_, x.begin());
    gradient_.swap(next_gradient_);
    done = function.accept();
  }
  return value;
}

}  // namespace trellis
