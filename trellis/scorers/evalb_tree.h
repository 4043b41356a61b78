// A constituency tree as EVALB reads it (Sekine & Collins 1997; evalb.h): the words that count and
// the spans of brackets over them. Texts are views into the line or the tree that was read.
//
// EVALB reads one tree per line and accepts invalid trees: a bracket without a label, without
// words, or with a label of one word counts as a bracket or a word. What it cannot accept is a
// fault; after some kinds of faults it continues.
#pragma once

#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/scorers/evalb_parameters.h"

namespace trellis::grammar {

struct EvalbTree {
  struct Word {
    std::string_view tag;
    std::string_view word;
  };
  struct Bracket {
    static constexpr int kNotClosed = -1;

    std::string_view label;  // with its function tags
    int begin = 0;           // words that count
    int end = kNotClosed;
  };
  // A quotation mark, which may have to be put back: its position, the number of the next bracket,
  // and the brackets that were open.
  struct Quote {
    Word word;
    int at = 0;
    Index next_bracket = 0;
    std::vector<Index> open;
  };

  std::vector<Word> words;        // but for those with tags that are deleted
  std::vector<Bracket> brackets;  // all, in preorder
  std::vector<Quote> quotes;
  Index length = 0;  // words whose tags count for the length
  std::vector<std::string_view> faults;
  // EVALB met text where a bracket should be, and reads it again until there are too many faults.
  bool is_stuck = false;
};

EvalbTree evalb_tree(std::string_view line, const EvalbParameters& parameters);
// The result for the line that has this tree.
EvalbTree evalb_tree(const ConstituencyTree& tree, const EvalbParameters& parameters);

}  // namespace trellis::grammar
