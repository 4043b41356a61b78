#include "trellis/tasks/parse/filter/arc_filter.h"

#include <array>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/filter/filter_stage.h"

namespace trellis::parse {
namespace {

void keep_all(Index n, std::vector<DependencyArc>& arcs) {
  for (std::uint32_t m = 1; m <= n; ++m) {
    for (std::uint32_t h = 0; h <= n; ++h) {
      if (h != m) arcs.push_back({h, m});
    }
  }
}

template <FilterStage kStage>
double filter_score(const ArcSums<filter_table(kStage)>& sums, const SentenceAtoms& atoms, Index h,
                    Index m, std::span<const float> weights) {
  std::array<std::uint64_t, num_filter_features(kStage)> features;
  sums.write(h, m, {atoms.distance(h, m), atoms.between(h, m)}, features.data());
  double sum = 0;
  for (const std::uint64_t fp : features) {
    sum += static_cast<double>(weights[filter_weight<kStage>(fp)]);
  }
  return sum;
}

}  // namespace

ArcFilter::ArcFilter(const FilterWeights& weights, const FilterOptions& options,
                     const TreeShape& shape)
    : weights_(weights), options_(options), shape_(shape) {
  if (options.limits.max_heads == 0) throw UsageError("a word needs at least one candidate head");
  if (!(options.limits.prune_below >= 0 && options.limits.prune_below <= 1)) {
    throw UsageError("heads are pruned below a share of the best one's marginal, from 0 to 1");
  }
}

void ArcFilter::score_all(const SentenceAtoms& atoms, Scratch& scratch) const {
  scratch.tags.assign(atoms);
  scratch.pruning.begin();
  for (Index m = 1; m <= atoms.words(); ++m) {
    for (Index h = 0; h <= atoms.words(); ++h) {
      if (h == m) continue;
      scratch.pruning.add(
          h, filter_score<FilterStage::kTags>(scratch.tags, atoms, h, m, weights_.tags));
    }
    scratch.pruning.end_word();
  }
}

void ArcFilter::score(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                      Scratch& scratch) const {
  scratch.words.assign(atoms);
  scratch.pruning.begin();
  Index next = 0;
  for (Index m = 1; m <= atoms.words(); ++m) {
    for (; next < arcs.size() && arcs[next].modifier == m; ++next) {
      const Index h = arcs[next].head;
      scratch.pruning.add(
          h, filter_score<FilterStage::kWords>(scratch.words, atoms, h, m, weights_.words));
    }
    scratch.pruning.end_word();
  }
}

void ArcFilter::keep(const SentenceAtoms& atoms, std::span<const std::uint32_t> always,
                     Scratch& scratch, std::vector<DependencyArc>& arcs) const {
  if (!options_.prune) {
    arcs.clear();
    return keep_all(atoms.words(), arcs);
  }
  score_all(atoms, scratch);
  const PruningLimits& first = looks_twice() ? FilterOptions::kWide : options_.limits;
  scratch.pruning.prune(first, shape_, always, arcs);
  if (!looks_twice()) return;
  score(atoms, arcs, scratch);
  scratch.pruning.prune(options_.limits, shape_, always, arcs);
}

}  // namespace trellis::parse
