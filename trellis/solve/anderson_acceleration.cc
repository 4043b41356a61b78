#include "trellis/solve/anderson_acceleration.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

void AndersonAcceleration::reset(Index size) {
  size_ = size;
  count_ = oldest_ = 0;
  begun_ = accelerated_ = false;
  df_.resize(kSteps);
  dg_.resize(kSteps);
  products_.assign(kSteps * kSteps, 0.0);
  reach_.assign(kSteps, 0.0);
}

bool AndersonAcceleration::step(std::span<const double> x, std::span<double> next) {
  assert(x.size() == size_ && next.size() == size_);
  fresh_.resize(size_);
  for (Index i = 0; i < size_; ++i) fresh_[i] = next[i] - x[i];
  const double length = dot(fresh_, fresh_);
  if (accelerated_ && !(length <= length_)) {
    std::ranges::copy(plain_, next.begin());
    count_ = oldest_ = 0;
    begun_ = accelerated_ = false;
    return false;
  }
  if (begun_) add_change(next);
  begun_ = true;
  length_ = length;
  std::swap(residual_, fresh_);
  plain_.assign(next.begin(), next.end());
  accelerated_ = count_ > 0 && solve();
  if (!accelerated_) return true;
  for (Index j = 0; j < count_; ++j) axpy(-gamma_[j], dg_[j], next);
  return true;
}

void AndersonAcceleration::add_change(std::span<const double> next) {
  const Index place = oldest_;
  oldest_ = (oldest_ + 1) % kSteps;
  count_ = std::min(count_ + 1, kSteps);
  std::vector<double>&df = df_[place], &dg = dg_[place];
  df.resize(size_);
  dg.resize(size_);
  for (Index i = 0; i < size_; ++i) {
    df[i] = fresh_[i] - residual_[i];
    dg[i] = next[i] - plain_[i];
  }
  // ⟨Δf_j, f⟩ changes by ⟨Δf_j, Δf⟩.
  for (Index j = 0; j < count_; ++j) {
    const double product = dot(df, df_[j]);
    products_[place * kSteps + j] = products_[j * kSteps + place] = product;
    reach_[j] += product;
  }
  reach_[place] = dot(df, fresh_);
}

// The normal equations, by Cholesky; what keeps them regular also keeps γ small.
bool AndersonAcceleration::solve() {
  constexpr double kRegularity = 1e-10;
  matrix_ = products_;
  gamma_ = reach_;
  double trace = 0;
  for (Index j = 0; j < count_; ++j) trace += products_[j * kSteps + j];
  if (!(trace > 0)) return false;
  for (Index j = 0; j < count_; ++j) {
    double* row = matrix_.data() + j * kSteps;
    double rest = row[j] + kRegularity * trace;
    for (Index k = 0; k < j; ++k) {
      const double* other = matrix_.data() + k * kSteps;
      double value = row[k];
      for (Index i = 0; i < k; ++i) value -= row[i] * other[i];
      row[k] = value / other[k];
      rest -= row[k] * row[k];
    }
    if (!(rest > 0)) return false;
    row[j] = std::sqrt(rest);
  }
  for (Index j = 0; j < count_; ++j) {
    const double* row = matrix_.data() + j * kSteps;
    for (Index i = 0; i < j; ++i) gamma_[j] -= row[i] * gamma_[i];
    gamma_[j] /= row[j];
  }
  for (Index j = count_; j-- > 0;) {
    gamma_[j] /= matrix_[j * kSteps + j];
    for (Index i = 0; i < j; ++i) gamma_[i] -= matrix_[j * kSteps + i] * gamma_[j];
  }
  return true;
}

}  // namespace trellis
