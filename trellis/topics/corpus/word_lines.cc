#include "trellis/topics/corpus/word_lines.h"

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/topics/corpus/source_text.h"

namespace trellis::topics {

bool WordLines::read(std::string_view& line) {
  while (file_.read_line(line)) {
    const bool comment = line.starts_with('#') && line.find('\t') == std::string_view::npos;
    if (comment || trim(line).empty()) continue;
    require_utf8(line, file_.name(), file_.line_number());
    ++num_read_;
    return true;
  }
  return false;
}

void WordLines::refuse(std::string_view message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

}  // namespace trellis::topics
