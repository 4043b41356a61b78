#include "trellis/tasks/parse/filter/arc_filter.h"

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
double filter_score(const ArcFeatures& features, std::span<const float> weights) {
  double sum = 0;
  each_filter_weight<kStage>(
      features, [&](std::uint32_t weight) { sum += static_cast<double>(weights[weight]); });
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

void ArcFilter::score_all(const SentenceAtoms& atoms, HeadPruning& pruning) const {
  const Index n = atoms.words();
  ArcFeatures features(atoms);
  pruning.begin();
  for (Index m = 1; m <= n; ++m) {
    features.set_modifier(m);
    for (Index h = 0; h <= n; ++h) {
      if (h == m) continue;
      features.set_head(h, false);
      pruning.add(h, filter_score<FilterStage::kTags>(features, weights_.tags));
    }
    pruning.end_word();
  }
}

void ArcFilter::score(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                      HeadPruning& pruning) const {
  ArcFeatures features(atoms);
  pruning.begin();
  Index next = 0;
  for (Index m = 1; m <= atoms.words(); ++m) {
    features.set_modifier(m);
    for (; next < arcs.size() && arcs[next].modifier == m; ++next) {
      features.set_head(arcs[next].head, false);
      pruning.add(arcs[next].head, filter_score<FilterStage::kWords>(features, weights_.words));
    }
    pruning.end_word();
  }
}

void ArcFilter::keep(const SentenceAtoms& atoms, std::span<const std::uint32_t> always,
                     Scratch& scratch, std::vector<DependencyArc>& arcs) const {
  if (!options_.prune) {
    arcs.clear();
    return keep_all(atoms.words(), arcs);
  }
  score_all(atoms, scratch);
  scratch.prune(looks_twice() ? FilterOptions::kWide : options_.limits, shape_, always, arcs);
  if (!looks_twice()) return;
  score(atoms, arcs, scratch);
  scratch.prune(options_.limits, shape_, always, arcs);
}

}  // namespace trellis::parse
