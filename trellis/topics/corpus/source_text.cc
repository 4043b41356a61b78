#include "trellis/topics/corpus/source_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics {

void require_utf8(std::string_view text, const std::string& file, Index line) {
  const Index at = find_invalid_utf8(text);
  if (at == std::string_view::npos) return;
  const std::string_view before = text.substr(0, at);
  const auto breaks = static_cast<Index>(std::count(before.begin(), before.end(), '\n'));
  const Index column = breaks == 0 ? at + 1 : at - before.rfind('\n');
  throw InputError(file, line + breaks,
                   fmt::format("expected UTF-8, found an invalid byte in column {}", column));
}

bool SourceLines::read_row(std::string_view& line) {
  Index blank = 0;  // the first of those that were passed over
  while (read(line)) {
    if (trim(line).empty()) {
      if (blank == 0) blank = line_number();
    } else if (blank != 0) {
      throw InputError(name(), blank, "expected a document, found an empty line");
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace trellis::topics
