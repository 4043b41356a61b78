#include "trellis/tasks/label/reading/arff_scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

}  // namespace

void ArffScanner::skip_blanks() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool ArffScanner::at_end() {
  skip_blanks();
  return at_ == line_.size() || line_[at_] == '%';
}

bool ArffScanner::take(char c) {
  skip_blanks();
  if (at_ == line_.size() || line_[at_] != c) return false;
  ++at_;
  return true;
}

std::string_view ArffScanner::rest() {
  skip_blanks();
  return line_.substr(at_);
}

ArffScanner::Token ArffScanner::read(std::string_view stops, std::string_view what) {
  if (at_end()) refuse(fmt::format("expected {}, found the end of the line", what));
  const char first = line_[at_];
  if (first == '\'' || first == '"') return read_quoted(first);
  const Index begin = at_;
  while (at_ < line_.size() && !is_blank(line_[at_]) &&
         stops.find(line_[at_]) == std::string_view::npos) {
    ++at_;
  }
  if (at_ == begin) refuse(fmt::format("expected {}, found", what), line_.substr(begin, 20));
  return {false, false, line_.substr(begin, at_ - begin)};
}

ArffScanner::Token ArffScanner::read_quoted(char quote) {
  const Index begin = ++at_;
  Token token;
  token.quoted = true;
  while (at_ < line_.size() && line_[at_] != quote) {
    if (line_[at_] == '\\') {
      token.escaped = true;
      ++at_;
    }
    ++at_;
  }
  if (at_ >= line_.size()) {
    refuse(fmt::format("expected the quote {} that ends", quote), line_.substr(begin - 1));
  }
  token.text = line_.substr(begin, at_ - begin);
  ++at_;
  return token;
}

void ArffScanner::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_, line_number_, message, token);
}

void ArffScanner::unescape(std::string_view text, std::string& out) {
  out.clear();
  for (Index i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (const char c = text[++i]) {
      case 't':
        out += '\t';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      default:
        out += c;
    }
  }
}

}  // namespace trellis::label
