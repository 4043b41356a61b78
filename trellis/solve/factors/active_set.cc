#include "trellis/solve/factors/active_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

namespace trellis {
void ActiveSet::reward(std::span<const double> b, Active& active) const {
  double sum = active.vertex.own;
  for (const std::uint32_t l : active.vertex.on) sum += b[l];
  active.reward = sum;
}

bool ActiveSet::is_better(double value, double reached, double eta) {
  constexpr double kGap = 1e-12;       // in units of η, which are those of q
  constexpr double kRounding = 1e-14;  // what is left of differences of large rewards
  return value - reached > kGap * eta + kRounding * (std::abs(value) + std::abs(reached));
}

double ActiveSet::reached(double eta, std::span<const double> q) const {
  double value = 0, square = 0;
  for (Index k = 0; k < size(); ++k) value += active_[k].weight * active_[k].reward;
  for (const double x : q) square += x * x;
  return value - eta * square;
}

ActiveSet::Active& ActiveSet::append(std::span<const std::uint32_t> on, double own) {
  Active& fresh = active_.newcomer();
  fresh.vertex.on.assign(on.begin(), on.end());
  fresh.vertex.own = own;
  for (const std::uint32_t l : on) {
    if (mark_.size() <= l) mark_.resize(l + 1, 0);
    mark_[l] = 1;
  }
  for (Index k = 0; k <= size(); ++k) {
    Index common = 0;
    for (const std::uint32_t l : active_[k].vertex.on) common += l < mark_.size() ? mark_[l] : 0;
    fresh.products[k] = static_cast<double>(common + 1);
  }
  for (const std::uint32_t l : on) mark_[l] = 0;
  return fresh;
}

void ActiveSet::mix(std::span<double> q) const {
  std::ranges::fill(q, 0.0);
  for (Index k = 0; k < size(); ++k) {
    for (const std::uint32_t l : active_[k].vertex.on) q[l] += active_[k].weight;
  }
}

// False if the vertex is better only because of rounding.
bool ActiveSet::join(std::span<const double> b, std::span<const std::uint32_t> on, double own) {
  for (Index k = 0; k < size(); ++k) {
    if (std::ranges::equal(active_[k].vertex.on, on)) return false;
  }
  reward(b, append(on, own));
  if (!active_.factorize(size()) && !exchange()) return false;
  active_.grow();
  return true;
}

// The newcomer is Σ_k β_k u_k with Σ_k β_k = 1, and better than the mix β of rewards: weight goes
// to it from the others until one has none left, which leaves. On return the newcomer stands behind
// the others, which are one fewer.
bool ActiveSet::exchange() {
  Active& fresh = active_[size()];
  for (Index k = size(); k-- > 0;) {  // β = L⁻ᵀ of the newcomer's row
    double value = fresh.factor[k];
    for (Index l = k + 1; l < size(); ++l) value -= active_[l].factor[k] * active_[l].goal;
    active_[k].goal = value / active_[k].factor[k];
  }
  Index leaving = size();
  double step = 1;
  for (Index k = 0; k < size(); ++k) {
    const double beta = active_[k].goal;
    if (beta > kDependent && active_[k].weight <= step * beta) {
      step = active_[k].weight / beta;
      leaving = k;
    }
  }
  if (leaving == size()) return false;
  for (Index k = 0; k < size(); ++k) active_[k].weight -= step * active_[k].goal;
  fresh.weight = step;
  active_.grow();  // the newcomer moves with the rest
  active_.drop(leaving);
  active_.shrink();
  if (active_.factorize(size())) return true;
  double sum = 0;  // rounding has spoiled it, and the newcomer is left out
  for (Index k = 0; k < size(); ++k) sum += active_[k].weight;
  for (Index k = 0; k < size(); ++k) active_[k].weight /= sum;
  return false;
}

}  // namespace trellis
