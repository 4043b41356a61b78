#include "trellis/solve/polytopes/oracle_projection.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kGapTolerance = 1e-10;  // of the residual
// What rounding leaves of a gap, relative to the terms that it is the sum of.
constexpr double kGapFloor = 4e-15;
// Below this part of its square a vertex is taken to lie in the affine hull of the others.
constexpr double kDependent = 1e-11;
constexpr double kLeastWeight = 1e-14;
// Sets of vertices may repeat when rounding decides; nobody should wait for that.
constexpr Index kMaxVertices = 20000;

}  // namespace

void OracleProjectionScratch::begin(std::span<const double> v) {
  v_.assign(v.begin(), v.end());
  direction_ = v_;
  z_.assign(v.size(), 0.0);
  newcomer_.assign(v.size(), 0.0);
  size_ = asked_ = 0;
  gap_ = kInfinity;
  length_ = 1;
  for (const double value : v_) length_ = std::max(length_, std::abs(value));
}

// `scale` is what the gap's terms amount to, whatever their signs.
double OracleProjectionScratch::measure_gap(double& scale) const {
  double gap = 0;
  scale = 0;
  for (Index p = 0; p < z_.size(); ++p) {
    const double term = direction_[p] * (newcomer_[p] - z_[p]);
    gap += term;
    scale += std::abs(term);
  }
  return std::max(0.0, gap);
}

// Row k of the Cholesky factor, from those before it. False where the vertex depends on them.
bool OracleProjectionScratch::factorize(Index k) {
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
  if (!(rest > kDependent * row.products[k])) return false;
  row.factor[k] = std::sqrt(rest);
  return true;
}

bool OracleProjectionScratch::join() {
  if (active_.size() == size_) active_.emplace_back();
  Active& fresh = active_[size_];
  fresh.vertex = newcomer_;
  fresh.c = dot(fresh.vertex, v_);
  fresh.weight = size_ == 0 ? 1 : 0;
  fresh.products.resize(size_ + 1);
  for (Index l = 0; l <= size_; ++l) {
    fresh.products[l] = 1 + dot(fresh.vertex, active_[l].vertex);
  }
  if (!factorize(size_)) return false;
  ++size_;
  return true;
}

// goal ← A⁻¹(c − c_0 1) − μ A⁻¹1, of sum 1.
void OracleProjectionScratch::solve_system() {
  for (Index k = 0; k < size_; ++k) {
    Active& row = active_[k];
    row.goal = row.c - active_[0].c;
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
void OracleProjectionScratch::drop(Index k) {
  const auto first = active_.begin() + static_cast<std::ptrdiff_t>(k);
  std::rotate(first, first + 1, active_.begin() + static_cast<std::ptrdiff_t>(size_));
  --size_;
  for (Index l = k; l < size_; ++l) {
    std::vector<double>& products = active_[l].products;
    products.erase(products.begin() + static_cast<std::ptrdiff_t>(k));
    factorize(l);  // of fewer vertices, so no more dependent than before
  }
}

// Wolfe's minor cycle: towards the nearest point of the affine hull, dropping a vertex whenever its
// weight would become negative. False where the newcomer goes at once and nothing has moved.
bool OracleProjectionScratch::settle() {
  bool welcome = true;
  for (bool first = true;; first = false) {
    solve_system();
    double step = 1;
    Index leaving = size_;
    for (Index k = 0; k < size_; ++k) {
      const Active& active = active_[k];
      if (active.goal > kLeastWeight) continue;
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
    if (first && step == 0 && leaving + 1 == size_) welcome = false;
    drop(leaving);
  }
}

void OracleProjectionScratch::mix() {
  double sum = 0;
  for (Index k = 0; k < size_; ++k) sum += active_[k].weight = std::max(0.0, active_[k].weight);
  std::fill(z_.begin(), z_.end(), 0.0);
  for (Index k = 0; k < size_; ++k) axpy(active_[k].weight / sum, active_[k].vertex, z_);
  for (Index p = 0; p < z_.size(); ++p) direction_[p] = v_[p] - z_[p];
}

bool OracleProjectionScratch::advance(ProjectionResult& result) {
  ++asked_;
  bool ends = false;
  if (size_ > 0) {
    double scale = 0, length = 0;
    gap_ = measure_gap(scale);
    for (Index p = 0; p < z_.size(); ++p) length += std::abs(newcomer_[p] - z_[p]);
    result.residual = gap_ / (length_ * std::max(1.0, length));
    ends = gap_ <= kGapFloor * scale || asked_ == kMaxVertices;
  }
  // A newcomer that depends on the others, or does not stay, is beyond what doubles can tell.
  if (!ends) {
    ends = !join() || !settle();
    if (size_ > 0) mix();
  }
  if (!ends) return true;
  result.factorizations = asked_;
  result.status = result.residual <= kGapTolerance ? ProjectionStatus::kOptimal
                                                   : ProjectionStatus::kNotConverged;
  return false;
}

}  // namespace trellis
