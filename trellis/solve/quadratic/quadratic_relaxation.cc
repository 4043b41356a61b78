#include "trellis/solve/quadratic/quadratic_relaxation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "trellis/solve/quadratic/quadratic_components.h"
#include "trellis/solve/quadratic/quadratic_sweeps.h"

namespace trellis {
namespace {

constexpr double kStall = 0.05;  // the share of the gap that two sweeps must close
constexpr double kWhole = 1e-9;  // Clp's values this near to 0 or 1 count as integers
// Other values are rounded to a multiple of 1/kGrid, well within Clp's tolerance: the last bits of
// a vertex depend on the compiler of Clp.
constexpr double kGrid = 0x1p30;

// (3.3) for a subproblem: its edges, then its pairs, then the steps of its nodes with a cost.
// Writes the objective separately.
LinearProgram program_of(const QuadraticProblem& problem, std::vector<double>& objective) {
  const Index edges = problem.num_edges(), pairs = problem.num_pairs();
  LinearProgram program;
  objective = problem.scores;
  objective.insert(objective.end(), problem.pair_scores.begin(), problem.pair_scores.end());
  for (Index n = 0; n < problem.num_nodes(); ++n) {
    LinearProgram::Row row{{}, -kInfinity, 0};
    for (Index d = 0; d < std::min<Index>(problem.capacity[n], problem.degree(n)); ++d) {
      if (problem.step(n, d) == 0) {
        row.upper += 1;
      } else {
        row.terms.push_back({objective.size(), -1.0});
        objective.push_back(-problem.step(n, d));
      }
    }
    if (row.upper >= static_cast<double>(problem.degree(n))) continue;
    for (Index at = problem.node_begin[n]; at < problem.node_begin[n + 1]; ++at) {
      row.terms.push_back({problem.place_edge[at], 1.0});
    }
    program.rows.push_back(std::move(row));
  }
  for (Index slot = 0; slot < problem.slot_edge.size(); ++slot) {
    program.rows.push_back(
        {{{edges + slot / 2, 1.0}, {problem.slot_edge[slot], -1.0}}, -kInfinity, 0});
  }
  program.num_parts = edges + pairs;
  program.num_variables = objective.size();
  program.upper_bounds.assign(program.num_variables, 1.0);
  return program;
}

}  // namespace

LinearProgram quadratic_program(const QuadraticParts& parts) {
  LinearProgram program;
  program.num_parts = program.num_variables = parts.num_parts();
  program.upper_bounds.assign(parts.num_parts(), 1.0);
  program.rows.resize(parts.num_nodes());
  for (Index n = 0; n < parts.num_nodes(); ++n) {
    program.rows[n].lower = -kInfinity;
    program.rows[n].upper = 1;
    for (Index d = 2; d <= parts.most_links; ++d) {
      program.rows[n].terms.push_back({parts.degree_part(n, d), -1.0});
    }
  }
  for (Index e = 0; e < parts.num_edges(); ++e) {
    program.rows[parts.left_node(e)].terms.push_back({e, 1.0});
    program.rows[parts.right_node(e)].terms.push_back({e, 1.0});
  }
  for (Index p = 0; p < parts.pairs.size(); ++p) {
    for (const Index edge : {Index{parts.pairs[p].a}, Index{parts.pairs[p].b}}) {
      program.rows.push_back({{{parts.first_pair() + p, 1.0}, {edge, -1.0}}, -kInfinity, 0});
    }
  }
  return program;
}

void complete_parts(const QuadraticParts& parts, std::span<double> z) {
  assert(z.size() == parts.num_parts());
  const auto degrees = z.subspan(parts.num_edges(), parts.first_pair() - parts.num_edges());
  std::fill(degrees.begin(), degrees.end(), 0.0);
  if (parts.most_links > 1) {
    // The sum of each node is stored in its first part until it is divided.
    for (Index e = 0; e < parts.num_edges(); ++e) {
      z[parts.degree_part(parts.left_node(e), 2)] += z[e];
      z[parts.degree_part(parts.right_node(e), 2)] += z[e];
    }
    for (Index n = 0; n < parts.num_nodes(); ++n) {
      double beyond = z[parts.degree_part(n, 2)] - 1;
      for (Index d = 2; d <= parts.most_links; ++d) {
        z[parts.degree_part(n, d)] = std::clamp(beyond, 0.0, 1.0);
        beyond -= 1;
      }
    }
  }
  for (Index p = 0; p < parts.pairs.size(); ++p) {
    z[parts.first_pair() + p] = std::min(z[parts.pairs[p].a], z[parts.pairs[p].b]);
  }
}

// An edge with value t contributes at most t (s_e + Σ_{p ∋ e} s_p), fractional or not: if that is
// not positive, the edge is out, and its pairs do not count for other edges.
void QuadraticRelaxation::drop_hopeless(std::vector<EdgeState>& states) const {
  states.assign(all_.num_edges(), EdgeState::kFree);
  std::vector<double> most = all_.scores;
  for (Index slot = 0; slot < all_.slot_edge.size(); ++slot) {
    most[all_.slot_edge[slot]] += all_.pair_scores[slot / 2];
  }
  std::vector<std::uint32_t> hopeless;
  const auto look_at = [&](std::uint32_t e) {
    if (states[e] == EdgeState::kOut || most[e] > 0) return;
    states[e] = EdgeState::kOut;
    hopeless.push_back(e);
  };
  for (std::uint32_t e = 0; e < all_.num_edges(); ++e) look_at(e);
  while (!hopeless.empty()) {
    const std::uint32_t e = hopeless.back();
    hopeless.pop_back();
    for (Index at = all_.slot_begin[e]; at < all_.slot_begin[e + 1]; ++at) {
      const std::uint32_t slot = all_.edge_slots[at], other = all_.partner(slot);
      most[other] -= all_.pair_scores[slot / 2];
      look_at(other);
    }
  }
}

void QuadraticRelaxation::extract(const QuadraticProblem& problem, QuadraticProblem& part) {
  double gained = 0;  // nothing is in
  reduction_.reduce(problem, states_, gained, taken_, part);
}

// Searches a best integral point by sweeps; false if they leave a gap.
bool QuadraticRelaxation::prove(QuadraticProblem& problem, std::span<double> z) {
  beliefs_.resize(problem.num_edges());
  double bound = quadratic_bound(problem), best = -kInfinity;
  while (true) {
    const double before = bound;
    for (const SweepDirection direction : {SweepDirection::kForward, SweepDirection::kBackward}) {
      states_.assign(problem.num_edges(), EdgeState::kFree);
      sweep(problem, direction, -kInfinity, bound, beliefs_, states_);
    }
    const double value = rounding_.round(problem, beliefs_, tolerance_);
    if (value > best) {
      best = value;
      for (Index e = 0; e < problem.num_edges(); ++e) {
        z[problem.names[e]] = rounding_.chosen(e) ? 1 : 0;
      }
    }
    if (bound <= best + tolerance_) return true;
    if (before - bound <= kStall * (bound - best)) return false;
  }
}

void QuadraticRelaxation::ask_clp(const QuadraticProblem& problem, std::span<double> z) {
  std::vector<double> objective;
  const LinearProgram program = program_of(problem, objective);
  const LpSolution solution = maximize_linear_program(program, objective);
  if (solution.status != LpStatus::kOptimal) {
    throw std::runtime_error("Clp did not solve the linear program of a quadratic matching");
  }
  for (Index e = 0; e < problem.num_edges(); ++e) {
    const double value = std::clamp(solution.x[e], 0.0, 1.0), whole = std::round(value);
    const double on_grid = std::round(value * kGrid) / kGrid;
    z[problem.names[e]] = std::abs(value - whole) <= kWhole ? whole : on_grid;
  }
}

Index QuadraticRelaxation::solve(const QuadraticParts& parts, std::span<const double> s,
                                 std::span<double> z) {
  assert(s.size() == parts.num_parts() && z.size() == parts.num_parts());
  tolerance_ = value_tolerance(s);
  build_problem(parts, s, true, steps_, all_);
  drop_hopeless(states_);
  extract(all_, problem_);
  std::fill(z.begin(), z.end(), 0.0);
  Index programs = 0;
  if (!prove(problem_, z)) {
    const Index components = find_components(problem_, component_);
    for (Index c = 0; c < components; ++c) {
      states_.resize(problem_.num_edges());
      for (Index e = 0; e < states_.size(); ++e) {
        states_[e] = component_[e] == c ? EdgeState::kFree : EdgeState::kOut;
      }
      extract(problem_, part_);
      if (prove(part_, z)) continue;
      ask_clp(part_, z);
      ++programs;
    }
  }
  complete_parts(parts, z);
  return programs;
}

}  // namespace trellis
