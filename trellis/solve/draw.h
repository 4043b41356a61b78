// A draw from a finite distribution.
#pragma once

#include <span>

#include "trellis/base/random.h"
#include "trellis/base/types.h"

namespace trellis {

// An index i with probability weights[i] / Σ weights, by inversion of one uniform number. Weights
// are ≥ 0 and at least one is > 0; an index of weight 0 is never drawn.
Index draw(std::span<const double> weights, Random& random);
// Where Σ weights is known, up to rounding.
Index draw(std::span<const double> weights, double total, Random& random);

}  // namespace trellis
