// A treebank to learn from, or to watch while learning.
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
  Index left_out = 0;     // too long
  Index only_traces = 0;  // trees without a word, passed over
  Index words = 0;        // of the trees
  std::uint64_t digest = 0;
};

// Trees of more than max_words words are left out; 0: none are. Throws InputError for what is wrong
// with the files (reading/bracket_reader.h), and where there is no tree to learn from.
Treebank read_treebanks(const std::vector<std::string>& paths, Index max_words);
Treebank read_treebanks(std::vector<InputFile> files, Index max_words);

}  // namespace trellis::grammar
