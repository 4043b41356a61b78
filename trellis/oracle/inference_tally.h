// The convergence of the iterations behind the values of an oracle, over many calls: losses of
// approximate sums are only as accurate as the residuals are small.
#pragma once

#include <algorithm>

#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"

namespace trellis {

struct InferenceTally {
  Index calls = 0;
  Index unconverged = 0;  // ended by a limit
  double largest_residual = 0;
  double residual_sum = 0;  // in the order of add()

  double mean_residual() const {
    return calls == 0 ? 0 : residual_sum / static_cast<double>(calls);
  }
  void add(const Convergence& call) {
    ++calls;
    unconverged += call.converged ? 0 : 1;
    largest_residual = std::max(largest_residual, call.residual);
    residual_sum += call.residual;
  }
  bool operator==(const InferenceTally&) const = default;
};

}  // namespace trellis
