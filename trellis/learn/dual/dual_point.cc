#include "trellis/learn/dual/dual_point.h"

#include <algorithm>

#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/solve/falling_root.h"

namespace trellis {

DualPoint::DualPoint(std::span<const WeightRange> nonnegative, Index num_examples, double lambda,
                     std::span<double> w)
    : nonnegative_(nonnegative),
      num_examples_(static_cast<double>(num_examples)),
      lambda_(lambda),
      lambda_n_(lambda * num_examples_),
      w_(w) {
  if (!nonnegative_.empty()) u_.assign(w.size(), 0.0);
}

double DualPoint::best_step(const SparseVector& change, double rise, double limit) {
  if (!(rise > 0)) return 0;
  gather(change);
  if (restricted_.empty()) {
    return free_squared_norm_ > 0 ? std::min(limit, lambda_n_ * rise / free_squared_norm_) : limit;
  }
  const double share = 1 / lambda_n_;
  return falling_root(limit, [&](double theta) {
    double value = rise - theta * share * free_squared_norm_;
    double fall = free_squared_norm_;
    for (const Restricted& r : restricted_) {
      const double moved = r.u - theta * share * r.change;
      value += (std::max(moved, 0.0) - std::max(r.u, 0.0)) * r.change;
      if (moved > 0) fall += r.change * r.change;
    }
    return FallingValue{value, share * fall};
  });
}

// Fills restricted_ and free_squared_norm_.
void DualPoint::gather(const SparseVector& change) {
  restricted_.clear();
  if (nonnegative_.empty()) {
    free_squared_norm_ = change.squared_norm();
    return;
  }
  free_squared_norm_ = 0;
  auto range = nonnegative_.begin();
  for (const SparseVector::Run& run : change.runs()) {
    const std::span<const double> values = change.values(run);
    for (Index k = 0; k < run.size; ++k) {
      const Index j = run.begin + k;
      while (range != nonnegative_.end() && range->end <= j) ++range;
      if (range != nonnegative_.end() && range->begin <= j) {
        if (values[k] != 0) restricted_.push_back({u_[j], values[k]});
      } else {
        free_squared_norm_ += values[k] * values[k];
      }
    }
  }
}

void DualPoint::move(const SparseVector& change, double offset_change, double step) {
  const double factor = -step / lambda_n_;
  change.add_to(u(), factor);
  offset_sum_ += step * offset_change;
  if (mean_) mean_->step(change, factor);
  if (!u_.empty()) follow(change);
}

// w ← [u] where the change touched u.
void DualPoint::follow(const SparseVector& change) {
  auto range = nonnegative_.begin();
  for (const SparseVector::Run& run : change.runs()) {
    for (Index j = run.begin; j < run.begin + run.size; ++j) {
      while (range != nonnegative_.end() && range->end <= j) ++range;
      const bool restricted = range != nonnegative_.end() && range->begin <= j;
      const double weight = restricted ? std::max(u_[j], 0.0) : u_[j];
      if (mean_in_set_) mean_in_set_->step(j, weight - w_[j]);
      w_[j] = weight;
    }
  }
}

void DualPoint::begin_sum() {
  const std::span<double> sum = u();
  std::fill(sum.begin(), sum.end(), 0.0);
  offset_sum_ = 0;
}

void DualPoint::add(const SparseVector& slope, double offset, double factor) {
  slope.add_to(u(), -factor / lambda_n_);
  offset_sum_ += factor * offset;
}

void DualPoint::end_sum() {
  if (u_.empty()) return;
  std::copy(u_.begin(), u_.end(), w_.begin());
  clip(nonnegative_, w_);
}

double DualPoint::squared_norm() const {
  return inner_product(w_, w_);
}

double DualPoint::bound_at(std::span<const double> w, double mean_offset) const {
  return mean_offset - lambda_ / 2 * inner_product(w, w);
}

double DualPoint::bound() const {
  return bound_at(w_, mean_offset());
}

void DualPoint::write_slope_sum(std::span<double> sum) const {
  const std::span<const double> from = u();
  for (Index j = 0; j < sum.size(); ++j) sum[j] = -lambda_n_ * from[j];
}

void DualPoint::keep_mean() {
  time_ = offset_moment_ = 0;
  mean_.emplace(w_.size());
  if (!u_.empty()) mean_in_set_.emplace(w_.size());
}

void DualPoint::count() {
  time_ += 1;
  mean_->count(1, time_);
  if (mean_in_set_) mean_in_set_->count(1, time_);
  offset_moment_ += time_ * offset_sum_;
}

void DualPoint::write_mean(std::span<double> w) const {
  const RunningMean& mean = mean_in_set_ ? *mean_in_set_ : *mean_;
  mean.write(w_, 1, w);
  clip(nonnegative_, w);  // the mean of weights >= 0, up to rounding
}

double DualPoint::bound_of_mean() const {
  if (time_ == 0) return bound();
  std::vector<double> w(w_.size());
  mean_->write(u(), 1, w);
  clip(nonnegative_, w);
  const double mass = time_ * (time_ + 1) / 2;
  return bound_at(w, offset_moment_ / mass / num_examples_);
}

void DualPoint::save(Checkpoint& checkpoint) const {
  checkpoint.put("dual/w", w_);
  checkpoint.put("dual/u", u_);
  const double numbers[] = {offset_sum_, time_, offset_moment_};
  checkpoint.put("dual/numbers", numbers);
  if (mean_) mean_->save(checkpoint);
  if (mean_in_set_) mean_in_set_->save(checkpoint, "mean_in_set");
}

void DualPoint::load(const Checkpoint& checkpoint) {
  checkpoint.get("dual/w", w_);
  checkpoint.get("dual/u", u_);
  double numbers[3];
  checkpoint.get("dual/numbers", numbers);
  offset_sum_ = numbers[0];
  time_ = numbers[1];
  offset_moment_ = numbers[2];
  if (mean_) mean_->load(checkpoint);
  if (mean_in_set_) mean_in_set_->load(checkpoint, "mean_in_set");
}

}  // namespace trellis
