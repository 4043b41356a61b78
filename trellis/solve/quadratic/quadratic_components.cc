#include "trellis/solve/quadratic/quadratic_components.h"

#include <numeric>

namespace trellis {
namespace {

// The first edge of e's set, which is its smallest.
std::uint32_t first_of(std::vector<std::uint32_t>& first, std::uint32_t e) {
  while (first[e] != e) e = first[e] = first[first[e]];
  return e;
}

void join(std::vector<std::uint32_t>& first, std::uint32_t a, std::uint32_t b) {
  a = first_of(first, a);
  b = first_of(first, b);
  (a < b ? first[b] : first[a]) = a < b ? a : b;
}

bool couples(const QuadraticProblem& problem, Index node) {
  const Index degree = problem.degree(node);
  return degree > problem.capacity[node] || problem.step(node, degree - 1) > 0;
}

}  // namespace

Index find_components(const QuadraticProblem& problem, std::vector<std::uint32_t>& component) {
  component.resize(problem.num_edges());
  std::iota(component.begin(), component.end(), 0U);
  for (Index n = 0; n < problem.num_nodes(); ++n) {
    if (!couples(problem, n)) continue;
    const std::uint32_t first = problem.place_edge[problem.node_begin[n]];
    for (Index place = problem.node_begin[n] + 1; place < problem.node_begin[n + 1]; ++place) {
      join(component, first, problem.place_edge[place]);
    }
  }
  for (Index p = 0; p < problem.num_pairs(); ++p) {
    join(component, problem.slot_edge[2 * p], problem.slot_edge[2 * p + 1]);
  }
  // Firsts come before the others of their sets, so numbers can stand in their places.
  std::uint32_t count = 0;
  for (std::uint32_t e = 0; e < component.size(); ++e) {
    component[e] = component[e] == e ? count++ : component[component[e]];
  }
  return count;
}

}  // namespace trellis
