// Splits a text into words: maximal runs of letters, digits, marks and connectors (similar to UAX
// #29, and in effect the regular expression \w+). In scripts without blanks between words (Han,
// Kana, Thai and related scripts) each character is a word, and so is each pictograph; there, word
// pairs (--ngrams 2) play the part of words.
#pragma once

#include <string_view>
#include <vector>

namespace trellis {

struct TextWord {
  std::string_view text;
  bool unspaced;  // a character of a script that is written without blanks
};

// Appends views into `text`, which is UTF-8.
void split_words(std::string_view text, std::vector<std::string_view>& words);
void split_words(std::string_view text, std::vector<TextWord>& words);

}  // namespace trellis
