#include "trellis/formats/prediction_lines.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis {

bool PredictionLines::next(std::string_view& line) {
  if (!file_.read_line(line)) return false;
  if (const Index invalid = find_invalid_utf8(line); invalid != std::string_view::npos) {
    refuse(fmt::format("expected UTF-8, found an invalid byte in column {}", invalid + 1));
  }
  return true;
}

std::string_view PredictionLines::need(const std::string& what) {
  std::string_view line;
  if (next(line)) return line;
  throw InputError(name(), line_number() + 1,
                   fmt::format("expected {}, found the end of the file", what));
}

void PredictionLines::require_end(std::string_view things, bool comments) {
  std::string_view line;
  while (next(line)) {
    if (trim(line).empty() || (comments && line.starts_with('#'))) continue;
    refuse(fmt::format("expected the end of the file, since there are no more {}, found", things),
           line);
  }
}

void PredictionLines::refuse(const std::string& complaint, std::string_view token) const {
  throw InputError(name(), line_number(), complaint, token);
}

}  // namespace trellis
