#include "trellis/structure/trees/dependency_tree.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/arborescences/tree_polytopes.h"

namespace trellis {

bool DependencyTree::legal(const Output& y) const {
  const Index n = arcs_->words();
  if (y.size() != n) return false;
  Index at_root = 0;
  for (Index m = 1; m <= n; ++m) {
    const Index p = y[m - 1];
    if (p < arcs_->begin(m) || p >= arcs_->begin(m + 1)) return false;
    if (arcs_->head(p) == 0) ++at_root;
  }
  if (roots_ == Roots::kOne && n > 0 && at_root != 1) return false;
  // Words known to hang on the root, or passed on the way up from this start.
  std::vector<Index> seen(n + 1, 0);
  for (Index start = 1; start <= n; ++start) {
    Index m = start;
    for (; m != 0 && seen[m] == 0; m = arcs_->head(y[m - 1])) seen[m] = start;
    if (m != 0 && seen[m] == start) return false;
  }
  return true;
}

void DependencyTree::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (const std::uint32_t p : y) z[p] = 1;
}

double DependencyTree::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  return tree_score(s, y);
}

double DependencyTree::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  y.resize(arcs_->words());
  if (scratch.maximum.solve(arcs_->graph(), s, roots_, y)) return tree_score(s, y);
  y.clear();
  return kImpossible;
}

void DependencyTree::k_best(std::span<const double> s, Index k, Scratch& scratch,
                            std::vector<ScoredOutput<Output>>& best) const {
  scratch.k_best.solve(arcs_->graph(), s, roots_, k, scratch.best);
  best.resize(scratch.best.size());
  for (Index i = 0; i < best.size(); ++i) {
    best[i].output.swap(scratch.best[i].arcs);
    best[i].score = scratch.best[i].score;
  }
}

double DependencyTree::log_partition(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.log_sum(arcs_->graph(), s, roots_);
}

double DependencyTree::log_partition(std::span<const double> s, Scratch& scratch,
                                     std::span<double> marginals) const {
  return scratch.sums.log_sum(arcs_->graph(), s, roots_, marginals);
}

double DependencyTree::entropy(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.entropy(arcs_->graph(), s, roots_);
}

void DependencyTree::sample(std::span<const double> s, Random& random, Scratch& scratch,
                            Output& y) const {
  y.resize(arcs_->words());
  if (!scratch.sums.draw(arcs_->graph(), s, roots_, random, y)) y.clear();
}

ProjectionResult DependencyTree::project(std::span<const double> v, Scratch& scratch,
                                         std::span<double> z) const {
  assert(v.size() == num_parts() && z.size() == num_parts());
  const auto maximize_into = [&](std::span<const double> s, std::span<double> vertex) {
    const double value = maximize(s, scratch, scratch.vertex);
    std::fill(vertex.begin(), vertex.end(), 0.0);
    for (const std::uint32_t p : scratch.vertex) vertex[p] = 1;
    return value;
  };
  return oracle_projection(v, maximize_into, scratch.projection, z);
}

LinearProgram DependencyTree::linear_program() const {
  return tree_polytope(arcs_->graph(), roots_);
}

}  // namespace trellis
