// The candidate links. Of I × J links a few for each word suffice, but a link that is missing here
// cannot be found. A link is a candidate if one of these holds:
//
//   a view of the generative model: a posterior of at least 0.02 in either direction, a product of
//     at least 0.002, or a best alignment; or another aligner has the link
//   spelling: the same letters, number or punctuation; for short words and punctuation, which are
//     frequent, only near the diagonal
//   association: the largest Dice coefficient of either word's links, at least 0.15
//   a neighbour: one of its words has a strong link (a product of at least 0.3) next to this one,
//     and the lexicon has the entry
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/align/features/pair_evidence.h"

namespace trellis::align {

struct Candidates {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<MatchingEdges::Edge> edges;  // by source word, then target word
  Grid<std::uint32_t> edge_at;             // index of the edge; kNone: no candidate
};

void choose_candidates(const PairEvidence& evidence, Candidates& candidates);

}  // namespace trellis::align
