// The tokens of a line of an ARFF file (see arff.h).
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::label {

class ArffScanner {
 public:
  struct Token {
    bool quoted = false;
    bool escaped = false;   // there are escapes in the text: unescape() it
    std::string_view text;  // between the quotes, or the word
  };

  ArffScanner(std::string_view line, std::string_view file, Index line_number)
      : line_(line), file_(file), line_number_(line_number) {}

  void skip_blanks();
  // Skips blanks; true at the end of the line or before a comment.
  bool at_end();
  // Skips blanks; takes the character if it is the next one.
  bool take(char c);
  // A quoted text, or a word up to a blank or one of `stops`; throws InputError where there is
  // neither, saying that `what` was expected.
  Token read(std::string_view stops, std::string_view what);
  // Skips blanks; what has not been read yet.
  std::string_view rest();

  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

  static void unescape(std::string_view text, std::string& out);

 private:
  Token read_quoted(char quote);

  std::string_view line_;
  std::string_view file_;
  Index line_number_;
  Index at_ = 0;
};

}  // namespace trellis::label
