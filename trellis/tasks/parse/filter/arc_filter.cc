#include "trellis/tasks/parse/filter/arc_filter.h"

#include <algorithm>
#include <array>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/filter/filter_model.h"

namespace trellis::parse {
namespace {

void keep_all(Index n, std::vector<DependencyArc>& arcs) {
  for (std::uint32_t m = 1; m <= n; ++m) {
    for (std::uint32_t h = 0; h <= n; ++h) {
      if (h != m) arcs.push_back({h, m});
    }
  }
}

}  // namespace

ArcFilter::ArcFilter(std::span<const float> weights, const FilterOptions& options,
                     const TreeShape& shape)
    : weights_(weights), options_(options), shape_(shape) {
  if (options.max_heads == 0) throw UsageError("a word needs at least one candidate head");
  if (!(options.prune_below >= 0 && options.prune_below <= 1)) {
    throw UsageError("heads are pruned below a share of the best one's marginal, from 0 to 1");
  }
}

void ArcFilter::score(const SentenceAtoms& atoms, Scratch& scratch) const {
  const Index n = atoms.words();
  scratch.begin.assign(1, 0);
  scratch.heads.clear();
  scratch.scores.clear();
  scratch.features.assign(atoms);
  std::array<std::uint64_t, kFilterTemplates.size()> made;
  for (Index m = 1; m <= n; ++m) {
    for (Index h = 0; h <= n; ++h) {
      if (h == m) continue;
      scratch.features.write(h, m, {atoms.distance(h, m), atoms.between(h, m)}, made.data());
      double sum = 0;
      for (const std::uint64_t fp : made) sum += static_cast<double>(weights_[filter_weight(fp)]);
      scratch.heads.push_back(static_cast<std::uint32_t>(h));
      scratch.scores.push_back(sum);
    }
    scratch.begin.push_back(scratch.heads.size());
  }
}

void ArcFilter::find_tree(Index n, Scratch& scratch) const {
  if (!shape_.projective) {
    scratch.tree.resize(n);
    scratch.maximum.solve({n, scratch.begin, scratch.heads}, scratch.scores, shape_.roots,
                          scratch.tree);
    return;
  }
  std::vector<DependencyArc> all;
  keep_all(n, all);
  const DependencyArcs arcs(n, all);
  ProjectiveTree(arcs, shape_.roots).maximize(scratch.scores, scratch.projective, scratch.tree);
}

// Leaves in scratch.row the heads that stay.
void ArcFilter::keep_of_word(Index n, Index m, Scratch& scratch) const {
  const double* marginals = scratch.marginals.data() + n * (m - 1);
  const double least = options_.prune_below * *std::max_element(marginals, marginals + n);
  std::vector<std::uint32_t>& row = scratch.row;
  row.clear();
  for (std::uint32_t k = 0; k < n; ++k) {
    if (marginals[k] >= least) row.push_back(k);
  }
  if (row.size() > options_.max_heads) {
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      return marginals[a] > marginals[b] || (marginals[a] == marginals[b] && a < b);
    };
    std::nth_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(options_.max_heads),
                     row.end(), better);
    row.resize(options_.max_heads);
  }
  for (std::uint32_t& k : row) k = scratch.heads[n * (m - 1) + k];
}

void ArcFilter::keep(const SentenceAtoms& atoms, std::span<const std::uint32_t> always,
                     Scratch& scratch, std::vector<DependencyArc>& arcs) const {
  const Index n = atoms.words();
  arcs.clear();
  if (!options_.prune) return keep_all(n, arcs);
  score(atoms, scratch);
  find_tree(n, scratch);
  scratch.marginals.resize(scratch.scores.size());
  scratch.sums.log_sum({n, scratch.begin, scratch.heads}, scratch.scores, shape_.roots,
                       scratch.marginals);
  std::vector<std::uint32_t>& row = scratch.row;
  for (std::uint32_t m = 1; m <= n; ++m) {
    keep_of_word(n, m, scratch);
    const auto add = [&](std::uint32_t h) {
      if (std::find(row.begin(), row.end(), h) == row.end()) row.push_back(h);
    };
    add(scratch.heads[scratch.tree[m - 1]]);
    if (!always.empty()) add(always[m - 1]);
    std::sort(row.begin(), row.end());
    for (const std::uint32_t h : row) arcs.push_back({h, m});
  }
}

}  // namespace trellis::parse
