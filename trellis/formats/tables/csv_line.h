// Reader and writer of lines of comma-separated values (CSV, RFC 4180), or of values with another
// separator. A field may be in quotes, and then contain separators, and quotes that are doubled.
// Unlike in the RFC, a record ends with its line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trellis::generative {

// Throws UsageError where a quote is not closed, or something follows a quoted field.
void split_csv(std::string_view line, std::vector<std::string>& fields, char separator = ',');
// A field in written form: in quotes if necessary.
std::string csv_field(std::string_view text, char separator = ',');

// Whether a file is one by its name: .csv, .csv.gz or .csv.zst.
bool is_csv_name(std::string_view path);

// "?" and nothing are no value.
inline bool is_missing(std::string_view field) {
  return field.empty() || field == "?";
}

}  // namespace trellis::generative
