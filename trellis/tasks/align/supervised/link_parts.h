// A sentence pair as structures and learners see it: the graph of candidate links, the pairs of
// neighbouring links, and the features of all parts. The parts have the order of FertilityMatching
// and QuadraticMatching: links, fertilities, pairs.
//
// The penalty of the d-th link of a word with features g ≥ 0 is Σ_{2 ≤ c ≤ d} w_c·g with w_c ≥ 0:
// it is never negative and does not decrease with d, as (3.2) requires.
#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/feature_block.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/tasks/align/features/alignment_features.h"
#include "trellis/tasks/align/model/link_weights.h"

namespace trellis::align {

// The layout of the weights for features of such a shape.
WeightLayout layout_of(const AlignmentFeatures& features, const LinkShape& shape);

struct LinkParts {
  std::unique_ptr<const MatchingEdges> edges;  // its address does not change
  std::vector<MatchingEdges::Edge> links;      // the same, by part
  std::vector<EdgePair> pairs;
  std::vector<FeatureBlock> blocks;

  Index num_links() const { return links.size(); }
  void scores(std::span<const double> w, std::span<double> s) const;  // s ← Fᵀ w
};

LinkParts link_parts(LinkGraph graph, const WeightLayout& layout);

// The structure of the pair; it refers to the parts. `search_limit` is that of LimitedSearch.
template <class S>
S structure_of(const LinkParts& parts, Index most_links, Index search_limit = 0) {
  if constexpr (std::constructible_from<S, const MatchingEdges&, Index>) {
    return S(*parts.edges, most_links);
  } else if constexpr (std::constructible_from<S, const QuadraticMatching&, Index>) {
    return S(structure_of<QuadraticMatching>(parts, most_links), search_limit);
  } else {
    return S(*parts.edges, most_links, parts.pairs);
  }
}

}  // namespace trellis::align
