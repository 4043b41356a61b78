#include "trellis/solve/factors/active_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

namespace trellis {
namespace {

// Squares of distances are whole numbers over whole numbers; what is below is rounding.
constexpr double kDependentVertex = 1e-9;
constexpr double kLeastMixWeight = 1e-14;

}  // namespace

void ActiveSet::reward(std::span<const double> b, Active& active) const {
  double sum = active.own;
  for (const std::uint32_t l : active.on) sum += b[l];
  active.reward = sum;
}

bool ActiveSet::is_better(double value, double reached, double eta) {
  constexpr double kGap = 1e-12;       // in units of η, which are those of q
  constexpr double kRounding = 1e-14;  // what is left of differences of large rewards
  return value - reached > kGap * eta + kRounding * (std::abs(value) + std::abs(reached));
}

double ActiveSet::reached(double eta, std::span<const double> q) const {
  double value = 0, square = 0;
  for (Index k = 0; k < size_; ++k) value += active_[k].weight * active_[k].reward;
  for (const double x : q) square += x * x;
  return value - eta * square;
}

ActiveSet::Active& ActiveSet::append(std::span<const std::uint32_t> on, double own) {
  if (active_.size() == size_) active_.emplace_back();
  Active& fresh = active_[size_];
  fresh.on.assign(on.begin(), on.end());
  fresh.own = own;
  fresh.weight = size_ == 0 ? 1 : 0;
  fresh.products.resize(size_ + 1);
  for (const std::uint32_t l : on) {
    if (mark_.size() <= l) mark_.resize(l + 1, 0);
    mark_[l] = 1;
  }
  for (Index k = 0; k <= size_; ++k) {
    Index common = 0;
    for (const std::uint32_t l : active_[k].on) common += l < mark_.size() ? mark_[l] : 0;
    fresh.products[k] = static_cast<double>(common + 1);
  }
  for (const std::uint32_t l : on) mark_[l] = 0;
  return fresh;
}

// Row k of the Cholesky factor, from those before it. False where the vertex depends on them.
bool ActiveSet::factorize(Index k) {
  Active& row = active_[k];
  row.factor.resize(k + 1);
  double rest = row.products[k];
  for (Index l = 0; l < k; ++l) {
    const std::vector<double>& other = active_[l].factor;
    double value = row.products[l];
    for (Index i = 0; i < l; ++i) value -= row.factor[i] * other[i];
    row.factor[l] = value / other[l];
    rest -= row.factor[l] * row.factor[l];
  }
  if (!(rest > kDependentVertex * row.products[k])) return false;
  row.factor[k] = std::sqrt(rest);
  return true;
}

// goal ← A⁻¹(r − r_0 1)/η − μ A⁻¹1, of sum 1.
void ActiveSet::solve_system(double eta) {
  for (Index k = 0; k < size_; ++k) {
    Active& row = active_[k];
    row.goal = (row.reward - active_[0].reward) / eta;
    row.ones = 1;
    for (Index l = 0; l < k; ++l) {
      row.goal -= row.factor[l] * active_[l].goal;
      row.ones -= row.factor[l] * active_[l].ones;
    }
    row.goal /= row.factor[k];
    row.ones /= row.factor[k];
  }
  double sum = 0, sum_of_ones = 0;
  for (Index k = size_; k-- > 0;) {
    Active& row = active_[k];
    row.goal /= row.factor[k];
    row.ones /= row.factor[k];
    for (Index l = 0; l < k; ++l) {
      active_[l].goal -= row.factor[l] * row.goal;
      active_[l].ones -= row.factor[l] * row.ones;
    }
    sum += row.goal;
    sum_of_ones += row.ones;
  }
  const double mu = (sum - 1) / sum_of_ones;
  for (Index k = 0; k < size_; ++k) active_[k].goal -= mu * active_[k].ones;
}

// The rows of the factor before k stay.
void ActiveSet::drop(Index k) {
  const auto first = active_.begin() + static_cast<std::ptrdiff_t>(k);
  std::rotate(first, first + 1, active_.begin() + static_cast<std::ptrdiff_t>(size_));
  --size_;
  for (Index l = k; l < size_; ++l) {
    std::vector<double>& products = active_[l].products;
    products.erase(products.begin() + static_cast<std::ptrdiff_t>(k));
    factorize(l);  // of fewer vertices, so no more dependent than before
  }
}

// Towards the best weights on the affine hull, dropping a vertex whenever its weight would become
// negative. False where the last one goes at once.
bool ActiveSet::settle(double eta) {
  bool welcome = true;
  for (bool first = true; size_ > 1; first = false) {
    solve_system(eta);
    double step = 1;
    Index leaving = size_;
    for (Index k = 0; k < size_; ++k) {
      const Active& active = active_[k];
      if (active.goal > kLeastMixWeight) continue;
      const double fall = active.weight - active.goal;
      const double reach = fall > 0 ? active.weight / fall : 0;
      if (leaving == size_ || reach < step) {
        step = std::min(1.0, reach);
        leaving = k;
      }
    }
    for (Index k = 0; k < size_; ++k) {
      active_[k].weight += step * (active_[k].goal - active_[k].weight);
    }
    if (leaving == size_) return welcome;
    if (first && leaving + 1 == size_ && step == 0) welcome = false;
    drop(leaving);
  }
  active_[0].weight = 1;
  return welcome;
}

void ActiveSet::mix(std::span<double> q) const {
  std::ranges::fill(q, 0.0);
  for (Index k = 0; k < size_; ++k) {
    for (const std::uint32_t l : active_[k].on) q[l] += active_[k].weight;
  }
}

// False where rounding alone says that the vertex is better.
bool ActiveSet::join(std::span<const double> b, std::span<const std::uint32_t> on, double own) {
  for (Index k = 0; k < size_; ++k) {
    if (std::ranges::equal(active_[k].on, on)) return false;
  }
  reward(b, append(on, own));
  if (!factorize(size_) && !exchange()) return false;
  ++size_;
  return true;
}

// The newcomer is Σ_k β_k u_k with Σ_k β_k = 1, and better than the mix β of rewards: weight goes
// to it from the others until one has none left, which leaves. On return the newcomer stands behind
// the others, which are one fewer.
bool ActiveSet::exchange() {
  Active& fresh = active_[size_];
  for (Index k = size_; k-- > 0;) {  // β = L⁻ᵀ of the newcomer's row
    double value = fresh.factor[k];
    for (Index l = k + 1; l < size_; ++l) value -= active_[l].factor[k] * active_[l].goal;
    active_[k].goal = value / active_[k].factor[k];
  }
  Index leaving = size_;
  double step = 1;
  for (Index k = 0; k < size_; ++k) {
    const double beta = active_[k].goal;
    if (beta > kDependentVertex && active_[k].weight <= step * beta) {
      step = active_[k].weight / beta;
      leaving = k;
    }
  }
  if (leaving == size_) return false;
  for (Index k = 0; k < size_; ++k) active_[k].weight -= step * active_[k].goal;
  fresh.weight = step;
  const Index others = size_ - 1;
  ++size_;  // the newcomer moves with the rest
  drop(leaving);
  size_ = others;
  if (factorize(others)) return true;
  double sum = 0;  // rounding has spoiled it, and the newcomer is left out
  for (Index k = 0; k < size_; ++k) sum += active_[k].weight;
  for (Index k = 0; k < size_; ++k) active_[k].weight /= sum;
  return false;
}

}  // namespace trellis
