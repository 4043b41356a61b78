#include "trellis/formats/sets/arff_scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

constexpr std::string_view kArffBlanks = " \t\r\v\f";

char unescape(char c) {
  return c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
}

}  // namespace

std::string_view ArffScanner::rest() {
  at_ = std::min(line_.find_first_not_of(kArffBlanks, at_), line_.size());
  return line_.substr(at_);
}

ArffScanner::Token ArffScanner::read(std::string_view stops, std::string_view what) {
  if (at_end()) refuse(fmt::format("expected {}, found the end of the line", what));
  if (take('\'')) return read_quoted('\'');
  if (take('"')) return read_quoted('"');
  const Index begin = at_;
  while (at_ < line_.size() && kArffBlanks.find(line_[at_]) == std::string_view::npos &&
         stops.find(line_[at_]) == std::string_view::npos) {
    ++at_;
  }
  if (at_ == begin) refuse(fmt::format("expected {}, found", what), line_.substr(begin, 20));
  return {false, line_.substr(begin, at_ - begin)};
}

void ArffScanner::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

ArffScanner::Token ArffScanner::read_quoted(char quote) {
  const Index begin = at_;
  unescaped_.clear();
  for (; at_ < line_.size() && line_[at_] != quote; ++at_) {
    unescaped_ +=
        line_[at_] == '\\' && at_ + 1 < line_.size() ? unescape(line_[++at_]) : line_[at_];
  }
  if (at_ == line_.size()) {
    refuse(fmt::format("expected the quote {} that ends", quote), line_.substr(begin - 1));
  }
  ++at_;
  return {true, unescaped_};
}

}  // namespace trellis::label
