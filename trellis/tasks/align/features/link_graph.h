// A sentence pair as structures see it: the candidate links, the pairs of neighbouring candidates,
// and the features of both. Source words are left nodes, target words right nodes.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/solve/quadratic/edge_pair.h"
#include "trellis/structure/matchings/matching.h"

namespace trellis::align {

struct LinkGraph {
  Index num_source = 0, num_target = 0;
  std::vector<MatchingEdges::Edge> edges;  // candidates, by source word, then target word
  FeatureRows links;                       // a row for each edge, dense
  FeatureRows identities;                  // likewise, sparse: pairs of tags and of words
  // A row for each word, dense and ≥ 0: features of the penalty of a second link.
  FeatureRows source_words, target_words;
  // Edges (i, j), (l, m) with |i − l| ≤ 1 and |j − m| ≤ 1, ascending.
  std::vector<EdgePair> pairs;
  FeatureRows pair_rows;  // a row for each pair, dense and ≥ 0
};

}  // namespace trellis::align
