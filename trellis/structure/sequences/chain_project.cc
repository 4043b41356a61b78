// The nearest point of the polytope of a chain.
//
// Position-dependent transitions: the flow polytope (chain_linear_program.cc), by
// solve/polytopes/polytope_projection.h. It depends on the states, the length and the allowed
// labels; chains that agree in these share what was prepared for it.
//
// Tied transitions: its image under z = Σ_t z_t, the counts. Many flows have the same counts, so
// that over flows the nearest point is not unique and the dual is not smooth; in the space of the
// parts it is unique, and a mix of label sequences, which are found one by one
// (solve/polytopes/oracle_projection.h).
#include <limits>

#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/structure/sequences/chain.h"

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
  return tied() ? project_counts(v, scratch, z) : project_flow(v, scratch, z);
}

ProjectionResult Chain::project_counts(std::span<const double> v, Scratch& scratch,
                                       std::span<double> z) const {
  const auto best_sequence = [&](std::span<const double> s, std::span<double> vertex) {
    const double best = maximize(s, scratch, scratch.output);
    if (best != kImpossible) indicator(scratch.output, vertex);
    return best;
  };
  return oracle_projection(v, best_sequence, scratch.counts, z);
}

ProjectionResult Chain::project_flow(std::span<const double> v, Scratch& scratch,
                                     std::span<double> z) const {
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
