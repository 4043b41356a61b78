#include "trellis/structure/matchings/relaxed_quadratic_matching.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

bool RelaxedQuadraticMatching::legal(const Output& y) const {
  constexpr double kSlack = 1e-7;
  if (y.size() != num_parts()) return false;
  const auto outside = [](double z) { return !(z >= -kSlack && z <= 1 + kSlack); };
  if (std::any_of(y.begin(), y.end(), outside)) return false;
  const LinearProgram program = linear_program();
  return std::all_of(program.rows.begin(), program.rows.end(), [&](const auto& row) {
    double sum = 0;
    for (const LinearProgram::Term& term : row.terms) sum += term.coefficient * y[term.variable];
    return sum <= row.upper + kSlack;
  });
}

void RelaxedQuadraticMatching::indicator(const Output& y, std::span<double> z) const {
  assert(y.size() == num_parts() && z.size() == num_parts());
  std::copy(y.begin(), y.end(), z.begin());
}

double RelaxedQuadraticMatching::score(std::span<const double> s, const Output& y) const {
  assert(y.size() == num_parts() && s.size() == num_parts());
  ExactSum sum;
  for (Index p = 0; p < y.size(); ++p) sum.add(s[p] * y[p]);
  return sum.value();
}

double RelaxedQuadraticMatching::maximize(std::span<const double> s, Scratch& scratch,
                                          Output& y) const {
  y.resize(num_parts());
  return exact_.relax(s, scratch.exact, y).value;
}

// Graph, degrees and pairs: everything that linear_program() reads.
ProjectionResult RelaxedQuadraticMatching::project(std::span<const double> v, Scratch& scratch,
                                                   std::span<double> z) const {
  const QuadraticParts& parts = exact_.parts();
  std::vector<std::uint32_t>& key = scratch.key;
  key.clear();
  key.push_back(static_cast<std::uint32_t>(parts.most_links));
  key.push_back(static_cast<std::uint32_t>(parts.graph.columns));
  for (const Index begin : parts.graph.begin) key.push_back(static_cast<std::uint32_t>(begin));
  key.insert(key.end(), parts.graph.column.begin(), parts.graph.column.end());
  for (const EdgePair& pair : parts.pairs) {
    key.push_back(pair.a);
    key.push_back(pair.b);
  }
  return scratch.projections.find(key, [&] { return linear_program(); }).project(v, z);
}

}  // namespace trellis
