#include "trellis/structure/trees/relaxed_higher_order_tree.h"

#include <algorithm>
#include <ranges>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

void RelaxedHigherOrderTree::indicator(const Output& y, std::span<double> z) const {
  if (y.z.empty()) {
    fold_.indicator(y.tree, z);
  } else {
    std::ranges::copy(y.z, z.begin());
  }
}

double RelaxedHigherOrderTree::score(std::span<const double> s, const Output& y) const {
  std::vector<double> z(num_parts());
  indicator(y, z);
  ExactSum sum;
  for (Index p = 0; p < z.size(); ++p) {
    if (z[p] != 0) sum.add(s[p] * z[p]);
  }
  return sum.value();
}

// All of a switch goes to its best label.
double RelaxedHigherOrderTree::maximize(std::span<const double> s, Scratch& scratch,
                                        Output& y) const {
  fold_.fold_best(s, scratch.scores, scratch.best);
  const double value = graph_.maximize(scratch.scores, scratch.graph, scratch.point);
  y.tree.clear();
  y.z.clear();
  if (value == kImpossible) return value;
  if (scratch.graph.result.integral) {
    fold_.read_tree(scratch.graph.ad3.assignment(), scratch.best, y.tree);
    return value;
  }
  const Index arcs = fold_.arcs().size(), groups = scratch.best.size();
  y.z.assign(num_parts(), 0.0);
  for (Index g = 0; g < groups; ++g) y.z[scratch.best[g]] = scratch.point[g];
  std::copy(scratch.point.begin() + static_cast<std::ptrdiff_t>(groups), scratch.point.end(),
            y.z.begin() + static_cast<std::ptrdiff_t>(arcs));
  return value;
}

MaximumBounds RelaxedHigherOrderTree::search(std::span<const double> s, Scratch& scratch,
                                             Output& y) const {
  const double best = maximize(s, scratch, y);
  if (best == kImpossible) return {best, best};
  const Ad3Result& result = scratch.graph.result;
  const double value = result.integral ? best : graph_.score(scratch.scores, scratch.point);
  return {std::min(value, result.upper), result.upper};
}

}  // namespace trellis
