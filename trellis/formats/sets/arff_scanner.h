// The tokens of a line of an ARFF file, the format of Weka (Hall et al. 2009): words, and texts in
// quotes with escapes. arff.cc describes the format.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::label {

// All functions skip blanks first.
class ArffScanner {
 public:
  struct Token {
    bool quoted = false;
    std::string_view text;  // without quotes and escapes; lives until the next one is read
  };

  // Messages name the file, which must outlive the scanner.
  explicit ArffScanner(const InputFile& file) : file_(file) {}

  // The line must not change until the next one.
  void start(std::string_view line) {
    line_ = line;
    at_ = 0;
  }
  // What has not been read yet.
  std::string_view rest();
  // True at the end of the line or before a comment.
  bool at_end() { return rest().empty() || line_[at_] == '%'; }
  // Takes the character if it is the next one.
  bool take(char c) {
    if (!rest().starts_with(c)) return false;
    ++at_;
    return true;
  }
  // A quoted text, or a word up to a blank or one of `stops`; throws InputError where there is
  // neither, saying that `what` was expected.
  Token read(std::string_view stops, std::string_view what);

  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

 private:
  Token read_quoted(char quote);

  const InputFile& file_;
  std::string_view line_;
  Index at_ = 0;
  std::string unescaped_;
};

}  // namespace trellis::label
