// The nearest point of the polytope of a chain.
//
// Position-dependent transitions: the flow polytope (chain_linear_program.cc), by
// solve/polytopes/polytope_projection.h. It depends on the states, the length and the allowed
// labels; chains with the same of these share the prepared polytope.
//
// Tied transitions: its image under z = Σ_t z_t, the counts. Many flows have the same counts, so
// the nearest point over flows is not unique and the dual is not smooth; in the space of the parts
// it is unique, and a convex combination of label sequences, which are found one by one
// (solve/polytopes/oracle_projection.h).
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {

namespace {

// Order, rules, length and flags: everything that linear_program() depends on.
void write_projection_key(const ChainStates& states, Index length,
                          std::span<const std::uint8_t> allowed, std::vector<std::uint32_t>& key) {
  const TransitionRules& rules = states.rules();
  const auto labels = static_cast<Label>(states.num_labels());
  key.clear();
  key.push_back(static_cast<std::uint32_t>(states.order()));
  key.push_back(static_cast<std::uint32_t>(length));
  key.push_back(static_cast<std::uint32_t>(labels));
  for (Label a = 0; a < labels; ++a) {
    key.push_back((rules.may_start(a) ? 1u : 0u) + (rules.may_stop(a) ? 2u : 0u));
  }
  key.push_back(rules.allows_all_pairs() ? 1 : 0);
  for (Label a = 0; a < labels && !rules.allows_all_pairs(); ++a) {
    for (Label b = 0; b < labels; ++b) key.push_back(rules.may_follow(a, b) ? 1 : 0);
  }
  key.insert(key.end(), allowed.begin(), allowed.end());
}

ProjectionResult project_counts(const Chain& chain, std::span<const double> v,
                                ChainScratch& scratch, std::span<double> z) {
  const auto best_sequence = [&](std::span<const double> s, std::span<double> vertex) {
    const double best = chain.maximize(s, scratch, scratch.output);
    if (best != kImpossible) chain.indicator(scratch.output, vertex);
    return best;
  };
  return oracle_projection(v, best_sequence, scratch.counts, z);
}

// Projects on the flow polytope with the key scratch.projection_key.
ProjectionResult project_flow(const Chain& chain, std::span<const double> v, ChainScratch& scratch,
                              std::span<double> z) {
  const auto flows = [&] {
    LinearProgram program = chain.linear_program();
    // z ≤ 1 follows from the rows: the total flow is 1.
    for (double& bound : program.upper_bounds) {
      if (bound > 0) bound = std::numeric_limits<double>::infinity();
    }
    return program;
  };
  return scratch.projections.find(scratch.projection_key, flows).project(v, z);
}

}  // namespace

ProjectionResult Chain::project(std::span<const double> v, Scratch& scratch,
                                std::span<double> z) const {
  if (tied()) return project_counts(*this, v, scratch, z);
  write_projection_key(*states_, length_, allowed_, scratch.projection_key);
  return project_flow(*this, v, scratch, z);
}

}  // namespace trellis
