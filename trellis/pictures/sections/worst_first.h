// Which examples a page shows: few enough to look at, and not the failures alone.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::report {

// Up to `most` of the examples, spread evenly over their order from the largest error to the
// smallest, both of these among them; examples of equal error in their own order. most ≥ 2.
std::vector<Index> worst_first(std::span<const double> errors, Index most);

}  // namespace trellis::report
