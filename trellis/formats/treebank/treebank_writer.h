// Writer of dependency treebanks in CoNLL-X (Buchholz & Marsi 2006) and CoNLL-U (Nivre et al.
// 2016); treebank_reader.h reads them back. What was read is written unchanged, except HEAD and
// DEPREL, which are those of the sentence, and blank lines: one follows each sentence.
//
// Sentences are appended to a string, so that many threads can write, each to its own.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_format.h"

namespace trellis::parse {

class TreebankWriter {
 public:
  // `columns` is the number in the file that was read: CoNLL-X of 6 columns, which has no heads,
  // becomes one of 8. CoNLL-U always has 10.
  explicit TreebankWriter(TreebankFormat format, Index columns = kTreebankColumns);

  // Comments, words, and the blank line. Multiword tokens and empty nodes are left out of CoNLL-X,
  // which has no place for them.
  void append(const Sentence& sentence, std::string& out) const;

 private:
  void append_word(const Sentence& sentence, std::uint32_t m, std::string& out) const;

  TreebankFormat format_;
  Index columns_;
};

}  // namespace trellis::parse
