#include "trellis/tasks/parse/filter/head_pruning.h"

#include <algorithm>
#include <ranges>

namespace trellis::parse {

void HeadPruning::begin() {
  begin_.assign(1, 0);
  heads_.clear();
  scores_.clear();
}

void HeadPruning::find_tree(const TreeShape& shape) {
  const Index n = words();
  if (!shape.projective) {
    tree_.resize(n);
    maximum_.solve({n, begin_, heads_}, scores_, shape.roots, tree_);
    return;
  }
  std::vector<DependencyArc> candidates;
  for (std::uint32_t m = 1; m <= n; ++m) {
    for (Index k = begin_[m - 1]; k < begin_[m]; ++k) candidates.push_back({heads_[k], m});
  }
  const DependencyArcs arcs(n, candidates);
  ProjectiveTree(arcs, shape.roots).maximize(scores_, projective_, tree_);
}

// Writes the remaining heads to row_.
void HeadPruning::keep_of_word(const PruningLimits& limits, Index m) {
  const auto first = marginals_.begin() + static_cast<std::ptrdiff_t>(begin_[m - 1]);
  const auto last = marginals_.begin() + static_cast<std::ptrdiff_t>(begin_[m]);
  const double least = limits.prune_below * *std::max_element(first, last);
  row_.clear();
  for (Index k = begin_[m - 1]; k < begin_[m]; ++k) {
    if (marginals_[k] >= least) row_.push_back(static_cast<std::uint32_t>(k));
  }
  if (row_.size() > limits.max_heads) {
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      return marginals_[a] > marginals_[b] || (marginals_[a] == marginals_[b] && a < b);
    };
    std::nth_element(row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(limits.max_heads),
                     row_.end(), better);
    row_.resize(limits.max_heads);
  }
  for (std::uint32_t& k : row_) k = heads_[k];
}

void HeadPruning::prune(const PruningLimits& limits, const TreeShape& shape,
                        std::span<const std::uint32_t> always, std::vector<DependencyArc>& arcs) {
  const Index n = words();
  arcs.clear();
  find_tree(shape);
  marginals_.resize(scores_.size());
  sums_.log_sum({n, begin_, heads_}, scores_, shape.roots, marginals_);
  for (std::uint32_t m = 1; m <= n; ++m) {
    keep_of_word(limits, m);
    const auto add = [&](std::uint32_t h) {
      if (std::ranges::find(row_, h) == row_.end()) row_.push_back(h);
    };
    add(heads_[tree_[m - 1]]);
    if (!always.empty()) add(always[m - 1]);
    std::ranges::sort(row_);
    for (const std::uint32_t h : row_) arcs.push_back({h, m});
  }
}

}  // namespace trellis::parse
