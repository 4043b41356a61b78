// What a quadratic problem falls apart into: sets of edges that share no pair, and no node that
// bounds or charges them.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/quadratic/quadratic_problem.h"

namespace trellis {

// Numbers the components in the order of their first edges; returns how many there are.
Index find_components(const QuadraticProblem& problem, std::vector<std::uint32_t>& component);

}  // namespace trellis
