// Links between words that differ by few letters: at most d characters are inserted, deleted or
// changed (Levenshtein 1966), of Unicode and not of UTF-8.
//
// Words at most d edits apart become equal after deleting at most d characters of each, so
// candidates are words with a common result: their deletion neighbourhoods meet (Mor & Fraenkel
// 1982). Those of the first p = kPrefix characters meet as well: align the words a and b, and stop
// where the longer of the two aligned beginnings, say a's, has p characters (or where b ends, if it
// is shorter). Their common part, c, is a's beginning without at most d characters; and b's first p
// characters, which are no more, contain c, too. So a word has at most 1 + p + p(p − 1)/2 of these,
// however long it is.
//
// Time: O(V p^d), and a check of each candidate in O(3^d length); 100 000 words take a second for d
// = 2. Memory: 16 bytes for each of these (some 40 a word for d = 2), and 4 V for each thread.
#pragma once

#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

struct EditDistanceOptions {
  static constexpr Index kPrefix = 12;

  Index distance = 1;    // 1 or 2
  Index min_length = 5;  // of both words, in characters; more than `distance`
  float weight = 1;      // of every link: finite, > 0

  // Throws UsageError.
  void check() const;
};

// Whether at most `most` edits make one of the other. Takes O(3^most length).
bool within_edits(std::u32string_view a, std::u32string_view b, Index most);

// All pairs of words of the vocabulary, which is the graph's. Same result for any number of
// threads.
LinkTally add_edit_distance_links(const NameView& vocabulary, const EditDistanceOptions& options,
                                  int threads, WordGraphBuilder& graph);

}  // namespace trellis::topics
