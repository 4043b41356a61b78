#include "trellis/formats/brackets/text_cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::grammar {

bool TextCursor::skip_white() {
  while (true) {
    while (!rest_.empty() && is_white(rest_.front())) rest_.remove_prefix(1);
    if (!rest_.empty()) return true;
    if (!file_.read_line(rest_)) return false;
    const Index invalid = find_invalid_utf8(rest_);
    if (invalid != std::string_view::npos) {
      throw InputError(
          name(), line_number(),
          fmt::format("expected UTF-8, found an invalid sequence at byte {}", invalid + 1));
    }
  }
}

std::string_view TextCursor::take_text() {
  const auto ends = [](char c) { return is_white(c) || c == '(' || c == ')'; };
  const auto end = std::find_if(rest_.begin(), rest_.end(), ends);
  const std::string_view text = rest_.substr(0, static_cast<Index>(end - rest_.begin()));
  rest_.remove_prefix(text.size());
  return text;
}

}  // namespace trellis::grammar
