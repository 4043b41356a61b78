#include "trellis/tasks/tag/templates/template_scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

constexpr Index kCharactersBefore = 70;
constexpr Index kCharactersAfter = 30;

Index column_of(std::string_view line, Index offset) {
  return utf8_length(line.substr(0, std::min(offset, line.size()))) + 1;
}

// Tabs would move the caret, and other control characters could affect the terminal.
void append_printable(std::string& out, std::string_view text) {
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
}

std::string explain(std::string_view line, Index offset, std::string_view complaint) {
  offset = std::min(offset, line.size());
  const std::string_view before = utf8_suffix(line.substr(0, offset), kCharactersBefore);
  const std::string_view after = utf8_prefix(line.substr(offset), kCharactersAfter);
  std::string out = "column " + std::to_string(column_of(line, offset)) + ": ";
  append_printable(out, complaint);
  out += "\n  ";
  append_printable(out, before);
  append_printable(out, after);
  out += "\n  " + std::string(utf8_length(before), ' ') + "^";
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

TemplateError::TemplateError(std::string_view name, Index line, std::string_view source_line,
                             Index offset, std::string_view complaint)
    : InputError(name, line, explain(source_line, offset, complaint)),
      column_(column_of(source_line, offset)) {}

TemplateScanner::TemplateScanner(std::string_view template_name, Index line_number,
                                 std::string_view line)
    : name_(template_name), line_number_(line_number), line_(line) {
  scan();
}

Token TemplateScanner::next() {
  Token token = token_;
  scan();
  return token;
}

bool TemplateScanner::at_name(std::string_view text) const {
  return token_.kind == TokenKind::kName && token_.text == text;
}

bool TemplateScanner::at_symbol(std::string_view text) const {
  return token_.kind == TokenKind::kSymbol && token_.text == text;
}

bool TemplateScanner::accept_symbol(std::string_view text) {
  const bool there = at_symbol(text);
  if (there) scan();
  return there;
}

void TemplateScanner::expect_symbol(std::string_view text) {
  if (!accept_symbol(text)) fail_expected(fmt::format("\"{}\"", text));
}

std::string TemplateScanner::expect_name(std::string_view what) {
  if (token_.kind != TokenKind::kName) fail_expected(what);
  return next().text;
}

std::string TemplateScanner::expect_string(std::string_view what) {
  if (token_.kind != TokenKind::kString) fail_expected(what);
  return next().text;
}

long long TemplateScanner::expect_integer(std::string_view what, long long lowest,
                                          long long highest) {
  if (token_.kind != TokenKind::kInteger) fail_expected(what);
  if (token_.integer < lowest || token_.integer > highest) {
    fail(token_.offset, fmt::format("{} must lie between {} and {}", what, lowest, highest));
  }
  return next().integer;
}

void TemplateScanner::fail(Index offset, std::string_view complaint) const {
  throw TemplateError(name_, line_number_, line_, offset, complaint);
}

void TemplateScanner::fail_expected(std::string_view what) const {
  if (at_end()) fail(token_.offset, fmt::format("expected {}, found the end of the line", what));
  fail(token_.offset, fmt::format("expected {}, found \"{}\"", what, utf8_prefix(token_.text, 40)));
}

void TemplateScanner::scan() {
  position_ = std::min(line_.find_first_not_of(" \t\r", position_), line_.size());
  token_ = Token{TokenKind::kEnd, "", position_};
  if (position_ == line_.size() || line_[position_] == '#') return;
  const char c = line_[position_];
  const bool number_follows = position_ + 1 < line_.size() && is_digit(line_[position_ + 1]);
  if (is_name_start(c)) {
    token_.kind = TokenKind::kName;
    while (position_ < line_.size() &&
           (is_name_start(line_[position_]) || is_digit(line_[position_]))) {
      token_.text += line_[position_++];
    }
  } else if (is_digit(c) || ((c == '-' || c == '+') && number_follows)) {
    scan_integer();
  } else if (c == '"') {
    scan_string();
  } else if (line_.substr(position_, 2) == "..") {
    token_.kind = TokenKind::kSymbol;
    token_.text = "..";
    position_ += 2;
  } else if (std::string_view("()[],|=:;@").find(c) != std::string_view::npos) {
    token_.kind = TokenKind::kSymbol;
    token_.text = c;
    ++position_;
  } else {
    fail(position_,
         fmt::format("\"{}\" has no meaning here", utf8_prefix(line_.substr(position_), 1)));
  }
}

void TemplateScanner::scan_integer() {
  const Index begin = position_++;
  while (position_ < line_.size() && is_digit(line_[position_])) ++position_;
  token_.kind = TokenKind::kInteger;
  token_.text = line_.substr(begin, position_ - begin);
  const auto digits = token_.text[0] == '+' ? std::string_view(token_.text).substr(1)
                                            : std::string_view(token_.text);
  const auto value = parse_integer(digits);
  if (!value) fail(begin, "this number is too large");
  token_.integer = *value;
}

void TemplateScanner::scan_string() {
  const Index begin = position_++;
  token_.kind = TokenKind::kString;
  for (; position_ < line_.size(); ++position_) {
    const char c = line_[position_];
    if (c == '"') {
      ++position_;
      return;
    }
    const bool escaped = c == '\\' && position_ + 1 < line_.size();
    if (escaped) ++position_;
    if (escaped && line_[position_] != '"') token_.text += '\\';
    token_.text += line_[position_];
  }
  fail(begin, "this text has no closing \"");
}

}  // namespace trellis::tag
