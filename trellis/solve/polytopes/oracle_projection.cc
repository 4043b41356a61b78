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
// Rounding can make sets of vertices repeat; this limit ends such a loop.
constexpr Index kMaxVertices = 20000;

}  // namespace

void OracleProjectionScratch::begin(std::span<const double> v) {
  v_.assign(v.begin(), v.end());
  direction_ = v_;
  z_.assign(v.size(), 0.0);
  newcomer_.assign(v.size(), 0.0);
  active_.clear();
  asked_ = 0;
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

bool OracleProjectionScratch::join() {
  auto& fresh = active_.newcomer();
  fresh.vertex = newcomer_;
  fresh.reward = dot(fresh.vertex, v_);
  for (Index l = 0; l <= active_.size(); ++l) {
    fresh.products[l] = 1 + dot(fresh.vertex, active_[l].vertex);
  }
  if (!active_.factorize(active_.size())) return false;
  active_.grow();
  return true;
}

void OracleProjectionScratch::mix() {
  double sum = 0;
  for (Index k = 0; k < active_.size(); ++k) {
    sum += active_[k].weight = std::max(0.0, active_[k].weight);
  }
  std::fill(z_.begin(), z_.end(), 0.0);
  for (Index k = 0; k < active_.size(); ++k) axpy(active_[k].weight / sum, active_[k].vertex, z_);
  for (Index p = 0; p < z_.size(); ++p) direction_[p] = v_[p] - z_[p];
}

bool OracleProjectionScratch::advance(ProjectionResult& result) {
  ++asked_;
  bool ends = false;
  if (!active_.empty()) {
    double scale = 0, length = 0;
    gap_ = measure_gap(scale);
    for (Index p = 0; p < z_.size(); ++p) length += std::abs(newcomer_[p] - z_[p]);
    result.residual = gap_ / (length_ * std::max(1.0, length));
    ends = gap_ <= kGapFloor * scale || asked_ == kMaxVertices;
  }
  // A newcomer that depends on the others, or leaves again, is below the precision of doubles.
  if (!ends) {
    ends = !join() || !active_.settle(1);
    if (!active_.empty()) mix();
  }
  if (!ends) return true;
  result.factorizations = asked_;
  result.status = result.residual <= kGapTolerance ? ProjectionStatus::kOptimal
                                                   : ProjectionStatus::kNotConverged;
  return false;
}

}  // namespace trellis
