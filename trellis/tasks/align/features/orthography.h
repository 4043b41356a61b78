// What spelling says of a link: translations of names, numbers, punctuation and learned words look
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
  static constexpr Index kShort = 3;     // letters of a short word, at most
  static constexpr Index kLongest = 32;  // longer words are alike where they are equal, or not

  std::string_view text;   // as it is
  std::u32string letters;  // folded
  WordKind kind = WordKind::kPunctuation;

  // `word` must outlive the form.
  void assign(std::string_view word);
  bool is_short() const { return kind == WordKind::kWord && letters.size() <= kShort; }
  bool is_punctuation() const { return kind == WordKind::kPunctuation; }
};

// The same letters, one at least.
bool same_letters(const WordForm& a, const WordForm& b);
// The same digits in two numbers, whatever separates them: "1,000" and "1 000", "2.5" and "2,5".
bool same_number(const WordForm& a, const WordForm& b);

struct Resemblance {
  bool exact = false;      // the same bytes
  bool folded = false;     // same_letters()
  bool number = false;     // same_number()
  bool stem = false;       // the first four letters, of two words
  double prefix = 0;       // common letters in front, of two words, by the longer one's length
  double suffix = 0;       // at the end, likewise
  double subsequence = 0;  // of words of four letters or more: longest common subsequence,
                           // likewise (Melamed 1995)
  // All is symmetric; O(letters of a × letters of b), no memory.
  static Resemblance of(const WordForm& a, const WordForm& b);
};

}  // namespace trellis::align
