// The set that maximises its loss times its lack of margin: constraint generation with slack
// rescaling (Tsochantaridis et al. 2004) for set measures. Exact:
//
//   max over y ∈ {0,1}^V of   Δ(y, yⁿ) (γ + Σ_v s_v (y_v − yⁿ_v)),     Δ = 1 − measure
//
// (set_measure.h). Δ depends on two numbers, m items of yⁿ that y lacks and o others that it has;
// the best y with these numbers lacks the m lowest of yⁿ and has the o highest others. For a given
// m both factors are concave in o where they are positive, and Δ never decreases: the product rises
// while the next other has s > 0, and after that it rises to one peak and falls, which bisection
// finds. O(V log V) time for all m.
//
// Of several best sets, the one that lacks the fewest items of yⁿ, and then has the fewest others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/solve/measures/set_measure.h"

namespace trellis {

struct MeasureProduct {
  double value = 0;  // 0: no set has a positive value, and y does not change
  double loss = 0;   // Δ(y, yⁿ)
};

// Writes the best y, 0 or 1 for each of the V = s.size() items. `truth`: the items of yⁿ,
// ascending, below V. Scores are finite, and γ ≥ 0.
MeasureProduct measure_product_argmax(const SetMeasure& measure, double gamma,
                                      std::span<const double> s,
                                      std::span<const std::uint32_t> truth,
                                      MeasureArgmaxScratch& scratch, std::span<Label> y);

}  // namespace trellis
