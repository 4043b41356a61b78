// The tokens of a file in interchange format: names, numbers, texts in double quotes, and the marks
// { } ( ) [ ] | ;. Blanks, commas and comments separate them.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis {

class BifScanner {
 public:
  explicit BifScanner(InputFile file);

  // The word that comes next; empty at the end of the file.
  const std::string& word() const { return word_; }
  bool quoted() const { return quoted_; }
  bool at_end() const { return at_end_; }
  Index line() const { return at_end_ ? file_.line_number() : line_; }
  const std::string& file() const { return file_.name(); }

  void advance();
  bool is(std::string_view word) const { return !at_end_ && !quoted_ && word_ == word; }
  // Takes the word where it is this one.
  bool take(std::string_view word);
  void expect(std::string_view word);
  // A name, a value or a number: anything but a mark. `what` names the expected token in messages.
  std::string take_name(std::string_view what);

  [[noreturn]] void fail(std::string_view message) const;         // about the place
  [[noreturn]] void fail_expecting(std::string_view what) const;  // "expected …, found "word""

  static bool is_mark(char c);

 private:
  bool skip_blanks();  // to the next word; false at the end of the file
  void skip_comment();

  InputFile file_;
  std::string_view rest_;  // of the line
  std::string word_;
  bool quoted_ = false;
  bool at_end_ = false;
  Index line_ = 0;
};

}  // namespace trellis
