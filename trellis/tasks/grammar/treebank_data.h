// A treebank for training or evaluation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/tree.h"

namespace trellis::grammar {

struct Treebank {
  std::string file;  // the first one
  std::vector<ConstituencyTree> trees;
  Index left_out = 0;     // sentences that are too long
  Index only_traces = 0;  // trees without words, which are skipped
  Index words = 0;        // in the trees
  std::uint64_t digest = 0;
};

// Leaves out trees of more than max_words words; 0: no limit. Throws InputError for invalid files
// (reading/bracket_reader.h), and if no tree is left.
Treebank read_treebanks(const std::vector<std::string>& paths, Index max_words);
Treebank read_treebanks(std::vector<InputFile> files, Index max_words);

}  // namespace trellis::grammar
