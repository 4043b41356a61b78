// Scores the pairs of a sentence's candidate arcs with the weights of a second-order model. Their
// scores follow those of the arcs (arc_scorer.h).
#pragma once

#include <vector>

#include "trellis/data/weight_table.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/tasks/parse/features/arc_pair_sums.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

double pair_score(const SentenceAtoms& atoms, const ArcPair& pair, const WeightView& weights);

// Appends the score of each pair. `sums` is memory that repeated calls reuse.
void score_pairs(const SentenceAtoms& atoms, const ArcPairGraph& graph, const WeightView& weights,
                 ArcPairSums& sums, std::vector<double>& s);

}  // namespace trellis::parse
