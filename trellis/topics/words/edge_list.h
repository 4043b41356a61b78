// Links between words as text, a line for each:
//
//   word <TAB> word [<TAB> weight]
//
// The weight is finite and above 0, and 1 where there is none. Words are found as word_finder.h
// says. Blank lines and comments are those of word_lines.h. Plain, gzip or zstd.
#pragma once

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/word_finder.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

// The graph is over the vocabulary of `words`. Throws InputError on any other line or weight.
LinkTally add_edge_list(InputFile file, WordFinder& words, WordGraphBuilder& graph);

// Each edge once, by rising number of its lower and then of its higher word, with the weight in as
// few digits as tell it from every other: what is read again is the same graph. The caller
// commits. Throws UsageError where there are not as many words as the graph has, or where a word
// with a link is not to be read again: an empty one, one with a tab or a line end in it, or with
// blanks around it.
void write_edge_list(const WordGraph& graph, const NameView& words, OutputFile& out);

}  // namespace trellis::topics
