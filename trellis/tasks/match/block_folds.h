// The folds of a cross-validation over pairs of shapes, or graphs.
//
// Consecutive frames of a sequence are similar: with random folds, the held-out pairs would be
// nearly those of training, and the estimate too optimistic. Shapes are therefore cut into as many
// blocks as there are folds, in the order of their names (numbers in names compare by value:
// house.tsv#9 stands before house.tsv#10). A fold is evaluated on the pairs with a shape of its
// block and trained on the pairs without one: no shape of the block occurs in training, and a pair
// between two blocks is held out with both.
//
// If a fold would have no training pairs (one shape is in all pairs), and for graphs, which do not
// say where else their nodes occur, the examples themselves are cut into blocks: pairs in the order
// of their names, graphs in the order of the files.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

struct BlockFold {
  std::vector<Index> held_out;  // both ascending
  std::vector<Index> rest;
};

// Throws UsageError if there are more folds than examples.
std::vector<BlockFold> block_folds(std::span<const MatchExample> examples, Index folds);

// Whether a name precedes another; digits compare by the number that they form.
bool precedes(std::string_view name, std::string_view other);

}  // namespace trellis::match
