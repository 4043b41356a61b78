// Links from lists of synonyms (Petterson 2011, sec. 6.5.1): the words of a line are synonyms of
// its first,
//
//   word <TAB> synonym, synonym, …     or     word, synonym, synonym, …
//
// and are linked with it, not with one another: a line of n words makes n − 1 links, where a
// thesaurus with a thousand words per entry would make half a million. Text in parentheses or
// brackets is a remark. word_finder.h describes how words are found; phrases are left out and
// counted, and a line whose first word is not in the vocabulary makes no link. Blank lines and
// comments are those of word_lines.h. Plain, gzip or zstd.
#pragma once

#include "trellis/base/input_file.h"
#include "trellis/topics/corpus/word_finder.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

// `weight` is that of every link: finite, > 0. The graph is over the vocabulary of `words`. Throws
// InputError for a line of one word or of more than two columns.
LinkTally add_synonyms(InputFile file, WordFinder& words, float weight, WordGraphBuilder& graph);

}  // namespace trellis::topics
