// How an iterative method ended: reported, never hidden.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

struct Convergence {
  bool converged = false;
  Index iterations = 0;
  double residual = 0;  // what is left of the conditions that a solution meets; see the method
};

}  // namespace trellis
