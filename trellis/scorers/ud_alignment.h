// Aligns the words of two treebanks of one text, as the scorer of the CoNLL 2018 shared task does
// (Zeman et al. 2018; ud_score.h). Both must have the same characters, without spaces and without
// regard to case; a token is a span of these. Words are aligned
//
//   * outside of multiword tokens if they have the same span;
//   * elsewhere within the smallest span that cuts no multiword token of either side, by a longest
//     common subsequence of their FORMs in lower case; among several, the first one.
//
// Linear in the words, and within such a span in the product of the words of both.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/scorers/ud_treebank.h"

namespace trellis::parse {

struct AlignedWords {
  Index gold;
  Index system;
};

// The pairs in the order of the text. Throws InputError if the texts differ.
std::vector<AlignedWords> align_words(const UdTreebank& gold, const UdTreebank& system);

}  // namespace trellis::parse
