#include "trellis/problem/cost_unit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trellis {

void CommonUnit::add(double cost) {
  assert(cost >= 0);
  constexpr double kMostUnits = 65535;
  constexpr double kRounding = 1e-9;  // of the largest cost
  if (!std::isfinite(cost)) exists_ = false;
  if (!exists_) return;
  largest_ = std::max(largest_, cost);
  double unit = unit_ > 0 ? unit_ : cost;
  for (double rest = cost; rest > kRounding * largest_;) {
    const double left = std::abs(unit - rest * std::round(unit / rest));
    unit = rest;
    rest = left;
  }
  unit_ = unit;
  exists_ = unit_ * kMostUnits >= largest_;
}

}  // namespace trellis
