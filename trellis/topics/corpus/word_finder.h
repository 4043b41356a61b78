// Finds the word of a vocabulary for an external text: a dictionary's entry, a line's synonym, the
// name of a vector.
//
// A text that is in the vocabulary, without the blanks around it, is that word. Otherwise the
// tokeniser of the corpus converts it ("Paris" → "paris"). If that gives exactly one word, it is
// this word, whatever was left out ("the Hague" → "hague", where "the" is a stop word). If it gives
// several, the text is a phrase, which is found only if the vocabulary has it as a word, as it may
// with n-grams ("New York" → "new york").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {

enum class TextKind {
  kWord,     // of the vocabulary
  kOutside,  // a word that the vocabulary does not have
  kPhrase,   // of several words
  kNothing,  // no word at all: blanks, dots, a number
};

struct FoundWord {
  TextKind kind;
  std::uint32_t word = NameList::kNone;

  bool is_word() const { return kind == TextKind::kWord; }
};

// Includes scratch memory: use one per thread. The vocabulary must outlive it.
class WordFinder {
 public:
  WordFinder(const NameList& vocabulary, const TextOptions& text);
  WordFinder(const WordFinder&) = delete;
  WordFinder& operator=(const WordFinder&) = delete;

  const NameList& vocabulary() const { return vocabulary_; }
  // The text is UTF-8.
  FoundWord find(std::string_view text);

 private:
  const NameList& vocabulary_;
  const TextOptions text_;  // for single words
  Tokenizer tokenizer_;
  std::string form_;
};

}  // namespace trellis::topics
