#include "trellis/base/text.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>

namespace trellis {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr char32_t kReplacement = 0xFFFD;  // for what is no UTF-8

// A code point, or a byte that begins none (then `code` < 0 and `size` is 1).
struct Character {
  UChar32 code;
  Index size;
};

Character first_character(std::string_view text) {
  // Four bytes are enough for any character, and ICU counts in int32_t.
  const auto limit = static_cast<std::int32_t>(std::min<Index>(text.size(), 4));
  std::int32_t size = 0;
  UChar32 code;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
  U8_NEXT(text.data(), size, limit, code);
#pragma GCC diagnostic pop
  if (code < 0) return {code, 1};
  return {code, static_cast<Index>(size)};
}

// The length of the ASCII stretch at the front.
Index ascii_prefix(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  Index i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & kHighBits) != 0) break;
  }
  while (i < text.size() && is_ascii(text[i])) ++i;
  return i;
}

// Collins' class of a character: X, x or d, or else 0.
char shape_class(UChar32 code) {
  if (u_isupper(code) || u_istitle(code)) return 'X';
  if (u_islower(code)) return 'x';
  if (u_isdigit(code)) return 'd';
  return 0;
}

// Whether a decimal number outside of the range of a double is too small, rather than too large, by
// the sign of its decimal exponent.
bool is_underflow(std::string_view digits) {
  const Index e = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, e);
  const Index point = std::min(mantissa.find('.'), mantissa.size());
  const Index first = mantissa.find_first_of("123456789");
  std::string_view exponent = digits.substr(std::min(e + 1, digits.size()));
  const bool negative = exponent.starts_with('-');
  const std::optional<long long> power = exponent.empty() ? 0 : parse_integer(exponent);
  if (!power) return negative;  // beyond any mantissa
  const auto place = static_cast<long long>(point) - static_cast<long long>(first);
  return place + *power < 0;
}

// The replacement of letters that Unicode does not decompose; empty for all others.
std::u32string_view spelt_out(UChar32 lower) {
  switch (lower) {
    case 0xDF:  // ß
      return U"ss";
    case 0xE6:  // æ
      return U"ae";
    case 0x153:  // œ
      return U"oe";
    case 0xF8:  // ø
      return U"o";
    case 0x111:  // đ
      return U"d";
    case 0x142:  // ł
      return U"l";
    case 0x2019:  // the apostrophe of printers
      return U"'";
    default:
      return {};
  }
}

void append_folded(UChar32 code, std::u32string& out) {
  const UChar32 lower = u_tolower(code);
  if (const std::u32string_view spelt = spelt_out(lower); !spelt.empty()) {
    out += spelt;
    return;
  }
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const decomposer = unorm2_getNFDInstance(&error);
  constexpr std::int32_t kLongest = 16;  // of any decomposition, in units of UTF-16: 4
  UChar units[kLongest];
  const std::int32_t size =
      U_FAILURE(error) ? -1 : unorm2_getDecomposition(decomposer, lower, units, kLongest, &error);
  if (size < 0 || U_FAILURE(error)) {
    if (u_charType(lower) != U_NON_SPACING_MARK) out += static_cast<char32_t>(lower);
    return;
  }
  for (std::int32_t i = 0; i < size;) {
    UChar32 piece;
    U16_NEXT(units, i, size, piece);
    if (u_charType(piece) != U_NON_SPACING_MARK) out += static_cast<char32_t>(piece);
  }
}

template <class Number>
std::from_chars_result scan(std::string_view text, Number& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

// from_chars knows no plus sign.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

void split_columns(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  if (line.find('\t') != std::string_view::npos) {
    if (line.find_first_not_of(" \t") != std::string_view::npos) split(line, '\t', fields);
    return;
  }
  for (Index begin = line.find_first_not_of(' '); begin != std::string_view::npos;) {
    const Index end = std::min(line.find(' ', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(' ', end);
  }
}

void split(std::string_view text, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  while (true) {
    const Index end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  const Index begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> parse_double(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const std::from_chars_result result = scan(text, value);
  if (result.ptr != text.data() + text.size()) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range) {
    const bool negative = text.starts_with('-');
    if (!is_underflow(text.substr(negative ? 1 : 0))) return std::nullopt;
    return negative ? -0.0 : 0.0;
  }
  if (result.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  text = without_plus(text);
  long long value = 0;
  const std::from_chars_result result = scan(text, value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

Index find_invalid_utf8(std::string_view text) {
  Index i = 0;
  while (true) {
    i += ascii_prefix(text.substr(i));
    if (i == text.size()) return std::string_view::npos;
    const Character character = first_character(text.substr(i));
    if (character.code < 0) return i;
    i += character.size;
  }
}

void decode_utf8(std::string_view text, std::u32string& out) {
  out.clear();
  while (!text.empty()) {
    const Character character = first_character(text);
    out += character.code < 0 ? kReplacement : static_cast<char32_t>(character.code);
    text.remove_prefix(character.size);
  }
}

void append_utf8(char32_t code, std::string& out) {
  char bytes[4];
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, code);
  out.append(bytes, static_cast<Index>(size));
}

void to_lower(std::string_view word, std::string& out) {
  out.clear();
  while (!word.empty()) {
    if (const Index ascii = ascii_prefix(word); ascii > 0) {
      const Index begin = out.size();
      out += word.substr(0, ascii);
      for (Index i = begin; i < out.size(); ++i) {
        out[i] = static_cast<char>(out[i] | (is_upper(out[i]) ? 'a' - 'A' : 0));
      }
      word.remove_prefix(ascii);
      continue;
    }
    const Character character = first_character(word);
    if (character.code < 0) {
      out += word[0];
    } else {
      append_utf8(static_cast<char32_t>(u_tolower(character.code)), out);
    }
    word.remove_prefix(character.size);
  }
}

void to_lower_in_context(std::string_view word, std::string& out) {
  constexpr Index kGrowth = 3;  // no letter becomes more than three, none longer than that
  const auto size = [](const auto& text) { return static_cast<std::int32_t>(text.size()); };
  std::u16string text(word.size(), u'\0');
  std::u16string lower(kGrowth * word.size(), u'\0');
  std::int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8WithSub(text.data(), size(text), &length, word.data(), size(word), kReplacement,
                       nullptr, &status);
  length = u_strToLower(lower.data(), size(lower), text.data(), length, "", &status);
  out.resize(kGrowth * lower.size());
  u_strToUTF8(out.data(), size(out), &length, lower.data(), length, &status);
  assert(U_SUCCESS(status));
  out.resize(static_cast<Index>(length));
}

void word_shape(std::string_view word, bool collapse, std::string& out) {
  out.clear();
  Index last = 0;  // where the character written last begins
  while (!word.empty()) {
    const char c = word[0];
    Index size = 1;
    char shape = 0;
    if (is_ascii(c)) {
      shape = is_upper(c) ? 'X' : is_lower(c) ? 'x' : is_digit(c) ? 'd' : c;
    } else {
      const Character character = first_character(word);
      size = character.size;
      if (character.code >= 0) shape = shape_class(character.code);
    }
    const std::string_view piece = shape != 0 ? std::string_view(&shape, 1) : word.substr(0, size);
    if (!collapse || out.empty() || std::string_view(out).substr(last) != piece) {
      last = out.size();
      out += piece;
    }
    word.remove_prefix(size);
  }
}

std::string_view utf8_prefix(std::string_view word, Index characters) {
  Index end = 0;
  for (; characters > 0 && end < word.size(); --characters) {
    end += is_ascii(word[end]) ? 1 : first_character(word.substr(end)).size;
  }
  return word.substr(0, end);
}

std::string_view utf8_suffix(std::string_view word, Index characters) {
  Index begin = word.size();
  for (; characters > 0 && begin > 0; --characters) {
    // A character of n bytes is one that, read forward, ends where the suffix begins.
    Index size = 1;
    for (Index n = 2; !is_ascii(word[begin - 1]) && n <= std::min<Index>(4, begin); ++n) {
      const Character character = first_character(word.substr(begin - n, n));
      if (character.code >= 0 && character.size == n) size = n;
    }
    begin -= size;
  }
  return word.substr(begin);
}

Index utf8_length(std::string_view word) {
  Index length = 0;
  for (Index i = 0; i < word.size(); ++length) {
    i += is_ascii(word[i]) ? 1 : first_character(word.substr(i)).size;
  }
  return length;
}

void fold_letters(std::string_view word, std::u32string& out) {
  out.clear();
  while (!word.empty()) {
    const char c = word[0];
    Index size = 1;
    if (is_ascii(c)) {
      out += static_cast<char32_t>(is_upper(c) ? c + ('a' - 'A') : c);
    } else {
      const Character character = first_character(word);
      size = character.size;
      if (character.code < 0) {
        out += kReplacement;
      } else {
        append_folded(character.code, out);
      }
    }
    word.remove_prefix(size);
  }
}

bool is_letter(char32_t code) {
  return u_isalpha(static_cast<UChar32>(code)) != 0;
}

bool is_digit(char32_t code) {
  return u_isdigit(static_cast<UChar32>(code)) != 0;
}

bool is_punctuation(char32_t code) {
  return u_ispunct(static_cast<UChar32>(code)) != 0;
}

bool is_space_separator(char32_t code) {
  return u_charType(static_cast<UChar32>(code)) == U_SPACE_SEPARATOR;
}

}  // namespace trellis
