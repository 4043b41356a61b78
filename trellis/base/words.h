// The words of a text: maximal runs of letters, digits, marks and connectors (UAX #29 in spirit,
// the regular expression \w+ in effect). In scripts that are written without blanks (Han, Kana,
// Thai and their kin) each character is a word, and so are pictographs; word pairs (--ngrams 2)
// then do what words do elsewhere.
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
