// A sum that is rounded once: the double nearest to the exact sum of what was added, whatever the
// order. Of two sets of numbers, the one with the larger sum never gets the smaller result.
//
// The exact sum is kept as doubles that do not overlap (Shewchuk 1997, "Adaptive precision
// floating-point arithmetic", sec. 2.4). Requires that no partial sum overflows.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "trellis/base/types.h"

namespace trellis {

class ExactSum {
 public:
  void add(double x) {
    Index kept = 0;
    for (Index i = 0; i < size_; ++i) {
      double y = parts_[i];
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y;
      const double low = y - (high - x);
      if (low != 0) parts_[kept++] = low;
      x = high;
    }
    parts_[kept] = x;
    size_ = kept + 1;
  }

  double value() const {
    if (size_ == 0) return 0;
    Index i = size_ - 1;
    double high = parts_[i], low = 0;
    while (i > 0 && low == 0) {
      const double x = high, y = parts_[--i];
      high = x + y;
      low = y - (high - x);
    }
    // The rest is half an ulp, and the next part determines the direction of rounding.
    if (i > 0 && ((low < 0 && parts_[i - 1] < 0) || (low > 0 && parts_[i - 1] > 0))) {
      const double twice = 2 * low, rounded = high + twice;
      if (rounded - high == twice) return rounded;
    }
    return high;
  }

 private:
  // Parts that do not overlap are at least a bit apart, 53 bits each: no more than this many
  // between the largest and the smallest double.
  std::array<double, 48> parts_{};
  Index size_ = 0;
};

}  // namespace trellis
