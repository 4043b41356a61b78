// The two file formats of dependency treebanks, CoNLL-X and CoNLL-U, and what a reader may require
// of heads. CoNLL-U is described at https://universaldependencies.org/format.html.
//
// CoNLL-X (Buchholz & Marsi 2006): one line per word, ten columns separated by tabs,
//
//   ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL
//
// of which a file may omit the last two, or the last four. Its successor CoNLL-U (Nivre et al.
// 2016) has ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC: always ten columns, comments
// before a sentence, lines for tokens of several words ("3-4") and for empty nodes ("5.1").
#pragma once

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::parse {

enum class TreebankFormat { kConllx, kConllu };
constexpr auto names_of(TreebankFormat) {
  return Names{"treebank format", "conllx", "conllu"};
}

inline constexpr Index kTreebankColumns = 10;

// Each value includes the requirements of the values before it.
enum class Heads {
  kOptional,  // a head is a word of the sentence, 0 or "_"
  kGiven,     // every word has one
  kTree,      // there is no cycle, so that all words hang on the root
  kOneRoot,   // and only one of them directly
};

}  // namespace trellis::parse
