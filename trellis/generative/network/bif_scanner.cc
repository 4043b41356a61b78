#include "trellis/generative/network/bif_scanner.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

bool is_bif_blank(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace

BifScanner::BifScanner(InputFile file) : file_(std::move(file)) {
  advance();
}

bool BifScanner::is_mark(char c) {
  return std::string_view("{}()[]|;").find(c) != std::string_view::npos;
}

void BifScanner::skip_comment() {
  const Index begin = file_.line_number();
  rest_.remove_prefix(2);
  for (Index end = rest_.find("*/"); end == std::string_view::npos; end = rest_.find("*/")) {
    if (!file_.read_line(rest_)) throw InputError(file_.name(), begin, "the comment has no end");
  }
  rest_.remove_prefix(rest_.find("*/") + 2);
}

bool BifScanner::skip_blanks() {
  for (;;) {
    while (!rest_.empty() && is_bif_blank(rest_.front())) rest_.remove_prefix(1);
    if (rest_.starts_with("/*")) {
      skip_comment();
    } else if (rest_.empty() || rest_.starts_with("//")) {
      if (!file_.read_line(rest_)) return false;
    } else {
      return true;
    }
  }
}

void BifScanner::advance() {
  word_.clear();
  quoted_ = false;
  if (!skip_blanks()) {
    at_end_ = true;
    return;
  }
  line_ = file_.line_number();
  Index length = 1;
  if (rest_.front() == '"') {
    const Index end = rest_.find('"', 1);
    if (end == std::string_view::npos) throw InputError(file_.name(), line_, "a quote has no end");
    quoted_ = true;
    word_ = rest_.substr(1, end - 1);
    length = end + 1;
  } else {
    while (!is_mark(rest_[0]) && length < rest_.size() && !is_bif_blank(rest_[length]) &&
           !is_mark(rest_[length]) && rest_[length] != '"') {
      ++length;
    }
    word_ = rest_.substr(0, length);
  }
  rest_.remove_prefix(length);
}

bool BifScanner::take(std::string_view word) {
  if (!is(word)) return false;
  advance();
  return true;
}

void BifScanner::expect(std::string_view word) {
  if (!take(word)) fail_expecting(fmt::format("'{}'", word));
}

std::string BifScanner::take_name(std::string_view what) {
  if (at_end_ || (!quoted_ && is_mark(word_[0]))) fail_expecting(what);
  std::string name = std::move(word_);
  advance();
  return name;
}

void BifScanner::fail(std::string_view message) const {
  throw InputError(file(), line(), message);
}

void BifScanner::fail_expecting(std::string_view what) const {
  if (at_end_) fail(fmt::format("expected {}, but the file ends", what));
  throw InputError(file(), line(), fmt::format("expected {}, found", what), word_);
}

}  // namespace trellis
