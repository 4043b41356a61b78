// Links from dictionaries, of two languages or one: an entry with each of its translations
// (Petterson 2011, sec. 6.4.3). A line is
//
//   entry <TAB> translations
//
// as in FreeDict's lists: translations are separated by commas, and senses, which may be numbered,
// by '|': "1. abase, lower | 2. abate". Text in parentheses or brackets is a remark: "(fish) steak"
// is "steak". word_finder.h describes how entries and translations are found; phrases ("ne ...
// pas", "give up") are left out and counted. Blank lines and comments are those of word_lines.h.
// Plain, gzip or zstd.
#pragma once

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/topics/corpus/word_finder.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

// What to do with a line that has another number of columns than two, or an empty one.
enum class OtherLines { kRefuse, kSkip };
constexpr auto names_of(OtherLines) {
  return Names{"treatment of lines of another shape", "refuse", "skip"};
}

struct DictionaryOptions {
  float weight = 1;                              // of every link: finite, > 0
  OtherLines other_lines = OtherLines::kRefuse;  // InputError, or counted in tally.skipped

  // Throws UsageError.
  void check() const { require_edge_weight(weight); }
};

// The graph is over the vocabulary of `words`.
LinkTally add_dictionary(InputFile file, WordFinder& words, const DictionaryOptions& options,
                         WordGraphBuilder& graph);

}  // namespace trellis::topics
