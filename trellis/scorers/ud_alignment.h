// Aligns the words of two treebanks of one text, as the scorer of the CoNLL 2018 shared task does
// (Zeman et al. 2018; ud_score.h). Both must have the same characters, small or capital, once
// spaces are left out; a token stands for a span of these. Words are aligned
//
//   * outside of multiword tokens if they have the same span;
//   * elsewhere within the least span that cuts no multiword token of either side, by a longest
//     common subsequence of their FORMs in small letters, of several the one that is first.
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

// In the order of the text. Throws InputError where the texts differ.
std::vector<AlignedWords> align_words(const UdTreebank& gold, const UdTreebank& system);

}  // namespace trellis::parse
