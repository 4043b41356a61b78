// Fields of comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace trellis::topics {

// Adds quotation marks if the text has a comma, a quotation mark or a line end.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace trellis::topics
