// A position in a file of the bracketed Penn Treebank format, in which line ends are white space
// like any other. The readers of this directory share it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::grammar {

// Space, tab, CR, LF, VT, FF.
constexpr bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Reads lines on demand. Throws InputError for invalid UTF-8.
class TextCursor {
 public:
  explicit TextCursor(InputFile file) : file_(std::move(file)) {}

  // Moves to the next character that is not white space; false if there is none.
  bool skip_white();
  // The current character, after skip_white() has returned true.
  char peek() const { return rest_.front(); }
  void skip_one() { rest_.remove_prefix(1); }
  // The text up to white space, a bracket or the end of the line. The view is valid until the next
  // line is read.
  std::string_view take_text();
  // The rest of the line.
  std::string_view take_line() { return std::exchange(rest_, {}); }

  const std::string& name() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }

 private:
  InputFile file_;
  std::string_view rest_;  // of the line read last
};

}  // namespace trellis::grammar
