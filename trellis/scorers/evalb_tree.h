// A constituency tree as EVALB reads it (Sekine & Collins 1997; evalb.h): the words that count and
// the spans of brackets over them. Texts are views into the line or the tree that was read.
//
// EVALB reads a tree a line, and takes what it can: brackets without a label, without words, or
// with a label of one word are all brackets or words to it. What it cannot take is told as faults,
// and after some of them it goes on.
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
  // A quotation mark, which may have to be put back: where it stood, the number of the bracket that
  // would be the next, and those that were open.
  struct Quote {
    Word word;
    int at = 0;
    Index next_bracket = 0;
    std::vector<Index> open;
  };

  std::vector<Word> words;        // but for those with tags that are deleted
  std::vector<Bracket> brackets;  // all, in preorder
  std::vector<Quote> quotes;
  Index length = 0;  // words with tags that count for it
  std::vector<std::string_view> faults;
  // It met text where a bracket should be, and reads that again until there are too many faults.
  bool is_stuck = false;
};

EvalbTree evalb_tree(std::string_view line, const EvalbParameters& parameters);
// What it would be of the tree's line.
EvalbTree evalb_tree(const ConstituencyTree& tree, const EvalbParameters& parameters);

}  // namespace trellis::grammar
