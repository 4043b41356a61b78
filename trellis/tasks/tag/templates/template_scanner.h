// Splits a line of the template language into tokens and reports errors with their position.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::tag {

// An error in a template. what() has three lines: the message, the line of the template, and a
// caret below the position:
//
//   ner.txt:7: column 17: expected ")", found "["
//     node lower(word [0]
//                     ^
class TemplateError : public InputError {
 public:
  // `offset` is in bytes from the start of `source_line`; the end of the line is the maximum.
  TemplateError(std::string_view name, Index line, std::string_view source_line, Index offset,
                std::string_view complaint);

  Index column() const { return column_; }  // in characters, from 1

 private:
  Index column_;
};

enum class TokenKind {
  kName,     // letter or '_', then letters, digits and '_'
  kInteger,  // an optional sign and digits
  kString,   // "…"; \" is a quote; other backslashes are literal
  kSymbol,   // ( ) [ ] , | = : ; @ ..
  kEnd,      // end of the line, or '#' of a comment
};

struct Token {
  TokenKind kind;
  std::string text;  // of a string: its content
  Index offset;      // in bytes
  long long integer = 0;
};

class TemplateScanner {
 public:
  // The views must outlive the scanner.
  TemplateScanner(std::string_view template_name, Index line_number, std::string_view line);

  const Token& peek() const { return token_; }
  Token next();

  bool at_name(std::string_view text) const;
  bool at_symbol(std::string_view text) const;
  bool at_end() const { return token_.kind == TokenKind::kEnd; }
  bool accept_symbol(std::string_view text);

  // Takes the token, or throws a TemplateError that says what was expected.
  void expect_symbol(std::string_view text);
  std::string expect_name(std::string_view what);
  std::string expect_string(std::string_view what);
  long long expect_integer(std::string_view what, long long lowest, long long highest);

  [[noreturn]] void fail(Index offset, std::string_view complaint) const;
  [[noreturn]] void fail_expected(std::string_view what) const;

  Index line_number() const { return line_number_; }

 private:
  void scan();
  void scan_string();
  void scan_integer();

  std::string_view name_;
  Index line_number_;
  std::string_view line_;
  Index position_ = 0;
  Token token_{TokenKind::kEnd, "", 0};
};

}  // namespace trellis::tag
