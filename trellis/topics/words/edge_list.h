// Links between words as text, one per line:
//
//   word <TAB> word [<TAB> weight]
//
// The weight is finite and above 0; without a weight it is 1. word_finder.h describes how words are
// found. Blank lines and comments are those of word_lines.h. Plain, gzip or zstd.
#pragma once

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/word_finder.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

// The graph is over the vocabulary of `words`. Throws InputError for any other line or weight.
LinkTally add_edge_list(InputFile file, WordFinder& words, WordGraphBuilder& graph);

// Writes each edge once, in ascending order of its lower and then of its higher word, with the
// weight in the fewest digits that restore it: reading the file gives the same graph. The caller
// commits. Throws UsageError unless there are as many words as the graph has, and if a word with a
// link could not be read again: an empty one, or one with a tab, a line end, or blanks around it.
void write_edge_list(const WordGraph& graph, const NameView& words, OutputFile& out);

}  // namespace trellis::topics
