#include "trellis/structure/graphs/relaxed_factor_graph.h"

#include <algorithm>
#include <cassert>
#include <ranges>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

bool RelaxedFactorGraph::legal(const Output& y, double slack) const {
  if (y.size() != num_parts()) return false;
  LinearProgram program = linear_program();
  for (Index p = 0; p < y.size(); ++p) {
    program.rows.push_back({{{p, 1.0}}, y[p] - slack, y[p] + slack});
  }
  return maximize_linear_program(program, {}).status == LpStatus::kOptimal;
}

void RelaxedFactorGraph::indicator(const Output& y, std::span<double> z) const {
  assert(y.size() == num_parts() && z.size() == num_parts());
  std::ranges::copy(y, z.begin());
}

double RelaxedFactorGraph::score(std::span<const double> s, const Output& y) const {
  assert(y.size() == num_parts() && s.size() == num_parts());
  ExactSum sum;
  for (Index p = 0; p < y.size(); ++p) sum.add(s[p] * y[p]);
  return sum.value();
}

double RelaxedFactorGraph::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  y.resize(num_parts());
  scratch.result = scratch.ad3.solve(layout(), s, options_, y);
  if (scratch.result.upper == kImpossible) {
    y.clear();
  } else if (scratch.result.integral) {
    return scratch.result.lower;
  }
  return scratch.result.upper;
}

MaximumBounds RelaxedFactorGraph::search(std::span<const double> s, Scratch& scratch,
                                         Output& y) const {
  const double best = maximize(s, scratch, y);
  if (best == kImpossible) return {best, best};
  const double value = scratch.result.integral ? best : score(s, y);
  return {std::min(value, scratch.result.upper), scratch.result.upper};
}

}  // namespace trellis
