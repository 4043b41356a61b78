// Scanning text: fields, numbers, UTF-8 and the word functions that feature templates use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Splits at runs of blanks (space, tab) when the line has no tab, else at each tab. Empty lines
// give no fields. Clears `fields` first.
void split_columns(std::string_view line, std::vector<std::string_view>& fields);
void split(std::string_view text, char separator, std::vector<std::string_view>& fields);
std::string_view trim(std::string_view text);

// The whole of `text` as a number, or nothing (locale-independent).
std::optional<double> parse_double(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// The byte offset of the first ill-formed UTF-8 sequence, or npos.
Index find_invalid_utf8(std::string_view text);

// Word functions, by Unicode code point. `out` is overwritten.
void to_lower(std::string_view word, std::string& out);
// Collins (2002): upper → X, lower → x, digit → d, anything else itself; `collapse` shortens runs
// of one class to a single character ("Xx" for "London", "Xxxxxx" without).
void word_shape(std::string_view word, bool collapse, std::string& out);
std::string_view utf8_prefix(std::string_view word, Index characters);  // shorter words: whole word
std::string_view utf8_suffix(std::string_view word, Index characters);
Index utf8_length(std::string_view word);

}  // namespace trellis
