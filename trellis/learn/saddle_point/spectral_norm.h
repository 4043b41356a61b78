// ‖F‖₂, the largest singular value of the features F = (F_1 … F_n) of all examples: the step size
// of the saddle-point methods is its inverse (Lacoste-Julien 2009, sec. 2.4.1).
//
// Only products are needed, F Fᵀ q = Σ_i F_i (F_iᵀ q): one pass over the examples each. The power
// method repeats q ← F Fᵀ q/‖F Fᵀ q‖; here the vectors are kept orthogonal to the previous two
// (Lanczos 1950), and the estimate is the best one in their span: the largest eigenvalue θ of a
// small tridiagonal matrix. It takes one more vector and needs about the square root of the number
// of passes. The residual ‖F Fᵀ x − θ x‖ of the estimate is known, and some eigenvalue of F Fᵀ lies
// within it; that it is the largest one is certain except for starts (random, keyed by the seed)
// that are nearly orthogonal to its eigenvector.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "trellis/base/types.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

struct SpectralNormOptions {
  double tolerance = 1e-3;  // of the residual, relative to ‖F‖₂²
  std::uint64_t seed = 0;
  int threads = 1;  // the bits do not depend on it
  std::stop_token stop;
};

// Never above ‖F‖₂, up to rounding, and below it by a factor of at most about 1 − tolerance/2,
// except after 100 passes, or with such a start. nullopt if `stop` was requested meanwhile.
std::optional<double> spectral_norm(const PartOracle& oracle,
                                    const SpectralNormOptions& options = {});

}  // namespace trellis
