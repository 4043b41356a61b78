// A sentence of a dependency treebank in CoNLL-X or CoNLL-U (treebank_format.h): its words, each
// with its head and the label of the arc from the head. It also keeps everything else in the lines,
// so that a writer can reproduce what a parser does not change.
//
// Words count from 1; head 0 is the artificial root. A column "_" is empty here, except FORM, which
// is never empty: a form "_" is an underscore.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::parse {

inline constexpr std::uint32_t kNoHead = ~std::uint32_t{0};  // the file does not say

struct Word {
  std::string form;
  std::string lemma;
  std::string coarse;    // UPOS, CPOSTAG
  std::string fine;      // XPOS, POSTAG
  std::string features;  // FEATS, "Case=Nom|Number=Sing"
  std::uint32_t head = kNoHead;
  std::string label;       // DEPREL
  std::string ninth;       // DEPS of CoNLL-U, PHEAD of CoNLL-X
  std::string tenth;       // MISC of CoNLL-U, PDEPREL of CoNLL-X
  std::uint32_t line = 0;  // after the sentence's first one, for messages

  bool operator==(const Word&) const = default;
};

// A multiword token: words first … last are written as one, "3-4 don't".
struct MultiwordToken {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::string form;
  std::string columns;  // the others, 3 to 10, as the line has them

  bool operator==(const MultiwordToken&) const = default;
};

// A node of the enhanced graph that no word stands for, "8.1": it follows word 8, or is before the
// first for 0.
struct EmptyNode {
  std::uint32_t after = 0;
  std::uint32_t number = 1;  // 1, 2, … after the same word
  std::string columns;       // 2 to 10, as the line has them

  bool operator==(const EmptyNode&) const = default;
};

struct Sentence {
  std::vector<Word> words;  // word m at [m − 1]

  // What passes through.
  std::vector<std::string> comments;       // whole lines, with their '#'
  std::vector<MultiwordToken> multiwords;  // by their words, disjoint
  std::vector<EmptyNode> empty_nodes;      // in order
  Index line = 0;                          // of the file where its first word or node stands

  Index size() const { return words.size(); }
  const Word& word(std::uint32_t m) const { return words[m - 1]; }  // 1 ≤ m ≤ size()
  Index line_of(std::uint32_t m) const { return line + word(m).line; }

  bool operator==(const Sentence&) const = default;
};

}  // namespace trellis::parse
