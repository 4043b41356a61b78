// Scanning text: fields, numbers, UTF-8 and the word functions that feature templates use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Splits at runs of blanks (space, tab) when the line has no tab, else at each tab (so that fields
// may be empty or contain spaces). Lines of nothing but blanks give no fields. Clears `fields`
// first.
void split_columns(std::string_view line, std::vector<std::string_view>& fields);
// Splits at each separator: n separators make n + 1 fields. Clears `fields` first.
void split(std::string_view text, char separator, std::vector<std::string_view>& fields);
// Without the blanks (space, tab, CR, LF, VT, FF) at both ends.
std::string_view trim(std::string_view text);

// The whole of `text` as a finite decimal number, or nothing (locale-independent). A sign may stand
// in front. What is too small for a double is 0, what is too large is nothing.
std::optional<double> parse_double(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// The byte offset of the first ill-formed UTF-8 sequence (Unicode table 3-7: no surrogates, no
// overlong forms), or npos.
Index find_invalid_utf8(std::string_view text);
// The code points; bytes that are no UTF-8 are U+FFFD each. `out` is overwritten.
void decode_utf8(std::string_view text, std::u32string& out);
// `code` is a Unicode scalar value.
void append_utf8(char32_t code, std::string& out);

// Word functions, by Unicode code point. `out` is overwritten. Bytes that are no UTF-8 count as a
// character each and are kept as they are.
void to_lower(std::string_view word, std::string& out);  // simple case mapping, context-free
// Full case mapping, where a letter may become several and a sigma at the end is another one, as
// Python's lower() does. `word` is UTF-8.
void to_lower_in_context(std::string_view word, std::string& out);
// Collins (2002): upper → X, lower → x, digit → d, anything else itself; `collapse` shortens runs
// of one class to a single character ("Xx" for "London", "Xxxxxx" without).
void word_shape(std::string_view word, bool collapse, std::string& out);
std::string_view utf8_prefix(std::string_view word, Index characters);  // shorter words: whole word
std::string_view utf8_suffix(std::string_view word, Index characters);
Index utf8_length(std::string_view word);

// The code points of a word without accents and in lower case, as two languages may share a word:
// canonically decomposed without its marks, "Élève" → "eleve"; ligatures and letters with a stroke
// are spelt out, "cœur" → "coeur". Bytes that are no UTF-8 are U+FFFD each. `out` is overwritten.
void fold_letters(std::string_view word, std::u32string& out);
bool is_letter(char32_t code);
bool is_digit(char32_t code);        // decimal, of any script
bool is_punctuation(char32_t code);  // general categories P*: "%" and "_" are, "$" and "+" are not
bool is_space_separator(char32_t code);  // general category Zs: no tab, no line end

}  // namespace trellis
