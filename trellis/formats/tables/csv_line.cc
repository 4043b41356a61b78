#include "trellis/formats/tables/csv_line.h"

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::generative {

void split_csv(std::string_view line, std::vector<std::string>& fields, char separator) {
  fields.clear();
  Index i = 0;
  for (;;) {
    std::string field;
    if (i < line.size() && line[i] == '"') {
      for (++i;; ++i) {
        if (i >= line.size()) throw UsageError("expected a closing quote before the line ends");
        if (line[i] != '"') {
          field += line[i];
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          field += line[++i];
        } else {
          break;
        }
      }
      if (++i < line.size() && line[i] != separator) {
        throw UsageError("expected a separator after a field in quotes");
      }
    } else {
      const Index end = line.find(separator, i);
      field = line.substr(i, end == std::string_view::npos ? end : end - i);
      i = end == std::string_view::npos ? line.size() : end;
    }
    fields.push_back(std::move(field));
    if (i >= line.size()) return;
    ++i;  // the separator
  }
}

std::string csv_field(std::string_view text, char separator) {
  if (text.find(separator) == std::string_view::npos &&
      text.find_first_of("\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

bool is_csv_name(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) {
      path.remove_suffix(packed.size());
      break;
    }
  }
  return path.ends_with(".csv");
}

}  // namespace trellis::generative
