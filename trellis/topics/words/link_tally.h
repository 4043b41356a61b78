// What became of a source of links between words.
#pragma once

#include "trellis/base/types.h"
#include "trellis/topics/corpus/word_finder.h"

namespace trellis::topics {

struct LinkTally {
  Index lines = 0;    // that were read, but for comments and blank ones
  Index links = 0;    // given to the graph, repeated ones included; of a word to itself: none
  Index outside = 0;  // words that the vocabulary does not have, each time that they occur
  Index phrases = 0;  // of several words that are no word of the vocabulary, likewise
  Index skipped = 0;  // lines of another shape, where they are to be passed over

  void count(TextKind kind) {
    if (kind == TextKind::kOutside) ++outside;
    if (kind == TextKind::kPhrase) ++phrases;
  }
  friend bool operator==(const LinkTally&, const LinkTally&) = default;
};

}  // namespace trellis::topics
