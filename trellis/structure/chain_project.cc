// The nearest point of the flow polytope of a chain (chain_linear_program.cc), by
// solve/polytopes/polytope_projection.h. The polytope depends on the states, the length and the
// allowed labels; chains that agree in these share what was prepared for it.
#include <limits>

#include "trellis/base/error.h"
#include "trellis/structure/chain.h"

namespace trellis {

// Order, rules, length and flags: everything that linear_program() reads.
void Chain::write_projection_key(std::vector<std::uint32_t>& key) const {
  const TransitionRules& rules = states_->rules();
  const auto labels = static_cast<Label>(states_->num_labels());
  key.clear();
  key.push_back(static_cast<std::uint32_t>(states_->order()));
  key.push_back(static_cast<std::uint32_t>(length_));
  key.push_back(static_cast<std::uint32_t>(labels));
  for (Label a = 0; a < labels; ++a) {
    key.push_back((rules.may_start(a) ? 1u : 0u) + (rules.may_stop(a) ? 2u : 0u));
  }
  key.push_back(rules.allows_all_pairs() ? 1 : 0);
  for (Label a = 0; a < labels && !rules.allows_all_pairs(); ++a) {
    for (Label b = 0; b < labels; ++b) key.push_back(rules.may_follow(a, b) ? 1 : 0);
  }
  key.insert(key.end(), allowed_.begin(), allowed_.end());
}

ProjectionResult Chain::project(std::span<const double> v, Scratch& scratch,
                                std::span<double> z) const {
  if (tied()) {
    throw UsageError(
        "counts of tied transitions have no projection here, because many flows have the same "
        "counts and the dual is not smooth: use position-dependent transitions or entropic steps");
  }
  write_projection_key(scratch.projection_key);
  const auto program = [&] {
    LinearProgram program = linear_program();
    // z ≤ 1 follows from the rows: one unit flows.
    for (double& bound : program.upper_bounds) {
      if (bound > 0) bound = std::numeric_limits<double>::infinity();
    }
    return program;
  };
  return scratch.projections.find(scratch.projection_key, program).project(v, z);
}

}  // namespace trellis
