// The links that are worth a thought. Of I × J a handful for each word are enough, if they are the
// right ones: what is not here cannot be found. A link is a candidate where any of these speaks
// for it:
//
//   a view of the generative model: a posterior of 0.02 in either direction, a product of 0.002, or
//     a best alignment; or another aligner has it
//   spelling: the same letters, number or punctuation; short words and punctuation, which are
//     everywhere, only near the diagonal
//   association: the largest Dice coefficient of either word's links, 0.15 or more
//   a neighbour: beside a strong link (a product of 0.3) of one of its words, and the lexicon has
//     the two
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
  Grid<std::uint32_t> edge_at;             // its place, kNone: it is none
};

void choose_candidates(const PairEvidence& evidence, Candidates& candidates);

}  // namespace trellis::align
