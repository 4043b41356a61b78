// Reads two dependency treebanks of the same words in parallel, in CoNLL-X or CoNLL-U
// (treebank_format.h): the gold standard, and the output of a parser.
#pragma once

#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_reader.h"

namespace trellis::parse {

class TreebankPairs {
 public:
  TreebankPairs(TreebankReader gold, TreebankReader system);

  // The next sentence of both, or false at the end of both. Throws InputError where one ends before
  // the other, or they differ in a FORM or in the number of words. Parts of speech may differ.
  bool read(Sentence& gold, Sentence& system);

 private:
  TreebankReader gold_;
  TreebankReader system_;
};

}  // namespace trellis::parse
