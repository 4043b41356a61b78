// The folds of a cross-validation over pairs of shapes, or graphs.
//
// Frames of a sequence differ little from their neighbours: a fold of pairs that were dealt at
// random is judged by what is nearly what was learned from, and promises too much. So shapes are
// cut into as many blocks as there are folds, in the order of their names (numbers in them by their
// values: house.tsv#9 stands before house.tsv#10). What a fold is judged by are the pairs with a
// shape of its block, and what it learns from are those without: no shape of the block is seen
// before it is judged by, and a pair between two blocks is held out with both.
//
// Where that leaves a fold nothing to learn from (one shape is in all pairs), and for graphs, of
// whose nodes nobody knows where else they stand, the examples themselves are cut into blocks:
// pairs in the order of their names, graphs as they stand in the files.
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

// Throws UsageError for more folds than there are examples.
std::vector<BlockFold> block_folds(std::span<const MatchExample> examples, Index folds);

// Whether a name stands before another, digits by the number that they make.
bool precedes(std::string_view name, std::string_view other);

}  // namespace trellis::match
