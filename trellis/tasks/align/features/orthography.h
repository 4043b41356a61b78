// Spelling as evidence for a link: translations of names, numbers, punctuation and loanwords look
// alike (Taskar, Lacoste-Julien & Klein 2005, section 3.2). Letters are compared without accents
// and case (base/text.h).
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::align {

enum class WordKind {
  kWord,         // has a letter
  kNumber,       // has a digit, and no letter
  kPunctuation,  // has neither
};

struct WordForm {
  static constexpr Index kShort = 3;     // maximum number of letters of a short word
  static constexpr Index kLongest = 32;  // longer words are alike only if equal

  std::string_view text;   // unchanged
  std::u32string letters;  // without accents and case
  WordKind kind = WordKind::kPunctuation;

  // `word` must outlive the form.
  void assign(std::string_view word);
  bool is_short() const { return kind == WordKind::kWord && letters.size() <= kShort; }
  bool is_punctuation() const { return kind == WordKind::kPunctuation; }
};

// Whether all letters are the same, and there is at least one.
bool same_letters(const WordForm& a, const WordForm& b);
// Whether two numbers have the same digits; separators may differ: "1,000" and "1 000".
bool same_number(const WordForm& a, const WordForm& b);

struct Resemblance {
  bool exact = false;      // the same bytes
  bool folded = false;     // same_letters()
  bool number = false;     // same_number()
  bool stem = false;       // the same first four letters, of two words
  double prefix = 0;       // common first letters of two words / length of the longer one
  double suffix = 0;       // common last letters, likewise
  double subsequence = 0;  // for words of at least four letters: longest common subsequence,
                           // likewise (Melamed 1995)
  // Symmetric. Time O(letters of a × letters of b), no allocation.
  static Resemblance of(const WordForm& a, const WordForm& b);
};

}  // namespace trellis::align
