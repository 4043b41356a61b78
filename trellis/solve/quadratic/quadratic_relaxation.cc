#include "trellis/solve/quadratic/quadratic_relaxation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "trellis/solve/quadratic/quadratic_sweeps.h"

namespace trellis {
namespace {

constexpr double kStall = 0.05;  // the share of the gap that two sweeps must close
constexpr double kWhole = 1e-9;  // Clp's values this near to 0 or 1 are meant to be that

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
    // The sum of each node stands in its first part until it is shared out.
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

// False where sweeps leave a gap.
bool QuadraticRelaxation::round(const QuadraticParts& parts, std::span<const double> s,
                                std::span<double> z) {
  const double tolerance = value_tolerance(s);
  build_problem(parts, s, true, steps_, problem_);
  beliefs_.resize(problem_.num_edges());
  double bound = quadratic_bound(problem_), best = -kInfinity;
  for (double before = kInfinity; before - bound > kStall * (bound - best);) {
    before = bound;
    for (const SweepDirection direction : {SweepDirection::kForward, SweepDirection::kBackward}) {
      states_.assign(problem_.num_edges(), EdgeState::kFree);
      sweep(problem_, direction, -kInfinity, bound, beliefs_, states_);
    }
    const double value = rounding_.round(problem_, beliefs_, tolerance);
    if (value > best) {
      best = value;
      for (Index e = 0; e < problem_.num_edges(); ++e) z[e] = rounding_.chosen(e) ? 1 : 0;
    }
    if (bound <= best + tolerance) return true;
  }
  return false;
}

void QuadraticRelaxation::solve(const QuadraticParts& parts, std::span<const double> s,
                                std::span<double> z) {
  assert(s.size() == parts.num_parts() && z.size() == parts.num_parts());
  if (!round(parts, s, z)) {
    const LpSolution solution = maximize_linear_program(quadratic_program(parts), s);
    if (solution.status != LpStatus::kOptimal) {
      throw std::runtime_error("Clp gave up on the linear program of a quadratic matching");
    }
    for (Index e = 0; e < parts.num_edges(); ++e) {
      const double value = std::clamp(solution.x[e], 0.0, 1.0), whole = std::round(value);
      z[e] = std::abs(value - whole) <= kWhole ? whole : value;
    }
  }
  complete_parts(parts, z);
}

}  // namespace trellis
