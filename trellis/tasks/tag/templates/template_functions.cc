#include "trellis/tasks/tag/templates/template_functions.h"

#include <re2/re2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cassert>
#include <limits>

#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

constexpr Index kMaxPatternBytes = 1000;
// Half for the program, half for the automata built while matching. A pattern whose automaton does
// not fit runs without one, more slowly but still in linear time.
constexpr std::int64_t kPatternMemory = std::int64_t{1} << 19;

// Visits the code points (U+FFFD for ill-formed bytes) until visit(c) returns false.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  assert(text.size() <= std::numeric_limits<std::int32_t>::max());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
    U8_NEXT_OR_FFFD(text.data(), i, size, c);
#pragma GCC diagnostic pop
    if (!visit(c)) return;
  }
}

bool belongs(UChar32 c, CharacterClass characters) {
  switch (characters) {
    case CharacterClass::kLetter:
      return u_isalpha(c);
    case CharacterClass::kUpper:
      return u_isupper(c) || u_istitle(c);
    case CharacterClass::kLower:
      return u_islower(c);
    case CharacterClass::kDigit:
      return u_isdigit(c);
    case CharacterClass::kAlnum:
      return u_isalnum(c);
    case CharacterClass::kPunctuation:
      return (U_GET_GC_MASK(c) & (U_GC_P_MASK | U_GC_S_MASK)) != 0;
  }
  return false;
}

bool has(std::string_view text, CharacterClass characters) {
  bool found = false;
  for_each_character(text, [&](UChar32 c) { return !(found = belongs(c, characters)); });
  return found;
}

bool all(std::string_view text, CharacterClass characters) {
  bool only = !text.empty();
  for_each_character(text, [&](UChar32 c) { return only = belongs(c, characters); });
  return only;
}

bool starts(std::string_view text, CharacterClass characters) {
  return all(utf8_prefix(text, 1), characters);
}

bool ends(std::string_view text, CharacterClass characters) {
  return all(utf8_suffix(text, 1), characters);
}

// Only cased letters count: "U.S." is upper, "McDonald" mixed, "x-ray" lower, "J." single.
std::string_view case_of(std::string_view text) {
  Index upper = 0;
  Index lower = 0;
  bool upper_first = false;
  for_each_character(text, [&](UChar32 c) {
    if (belongs(c, CharacterClass::kUpper)) {
      upper_first = upper_first || (upper == 0 && lower == 0);
      ++upper;
    } else if (belongs(c, CharacterClass::kLower)) {
      ++lower;
    }
    return true;
  });
  if (upper == 0) return lower == 0 ? "none" : "lower";
  if (lower == 0) return upper == 1 ? "single" : "upper";
  return upper_first && upper == 1 ? "title" : "mixed";
}

void to_upper(std::string_view text, std::string& out) {
  out.clear();
  for_each_character(text, [&](UChar32 c) {
    const UChar32 upper = u_toupper(c);
    char bytes[U8_MAX_LENGTH];
    std::int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, upper);
    out.append(bytes, static_cast<Index>(size));
    return true;
  });
}

std::optional<std::string_view> prefix(std::string_view text, Index characters) {
  const std::string_view found = utf8_prefix(text, characters);
  // If the prefix is the whole text, the text may be too short.
  if (found.size() == text.size() && utf8_length(text) < characters) return std::nullopt;
  return found;
}

std::optional<std::string_view> suffix(std::string_view text, Index characters) {
  const std::string_view found = utf8_suffix(text, characters);
  if (found.size() == text.size() && utf8_length(text) < characters) return std::nullopt;
  return found;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

bool matches(const Expression& expression, std::string_view text) {
  return expression.pattern->Match(piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

std::optional<std::string_view> find(const Expression& expression, std::string_view text) {
  const bool has_group = expression.pattern->NumberOfCapturingGroups() > 0;
  std::array<re2::StringPiece, 2> groups;
  if (!expression.pattern->Match(piece(text), 0, text.size(), RE2::UNANCHORED, groups.data(),
                                 has_group ? 2 : 1)) {
    return std::nullopt;
  }
  const re2::StringPiece& found = groups[has_group ? 1 : 0];
  if (found.data() == nullptr) return std::nullopt;
  return std::string_view(found.data(), found.size());
}

std::string_view replace(const Expression& expression, std::string_view text, std::string& buffer) {
  if (expression.pattern != nullptr) {
    buffer = text;
    RE2::GlobalReplace(&buffer, *expression.pattern, expression.text);
    return buffer;
  }
  Index found = text.find(expression.text_to_find);
  if (found == std::string_view::npos) return text;
  buffer.clear();
  Index begin = 0;
  for (; found != std::string_view::npos; found = text.find(expression.text_to_find, begin)) {
    buffer.append(text, begin, found - begin);
    buffer += expression.text;
    begin = found + expression.text_to_find.size();
  }
  buffer.append(text, begin);
  return buffer;
}

std::optional<std::string_view> holds(bool test) {
  return test ? std::optional<std::string_view>("") : std::nullopt;
}

}  // namespace

std::optional<std::string_view> apply(const Expression& expression, std::string_view input,
                                      std::string& buffer) {
  switch (expression.function) {
    case Function::kLower:
      to_lower(input, buffer);
      return buffer;
    case Function::kUpper:
      to_upper(input, buffer);
      return buffer;
    case Function::kShape:
    case Function::kShortShape:
      word_shape(input, expression.function == Function::kShortShape, buffer);
      return buffer;
    case Function::kPrefix:
      return prefix(input, expression.number);
    case Function::kSuffix:
      return suffix(input, expression.number);
    case Function::kLength:
      buffer = std::to_string(utf8_length(input));
      return buffer;
    case Function::kCase:
      return case_of(input);
    case Function::kReplace:
      return replace(expression, input, buffer);
    case Function::kFind:
      return find(expression, input);
    case Function::kFindOrEmpty:
      return find(expression, input).value_or("");
    case Function::kMatch:
      return holds(matches(expression, input));
    case Function::kTest:
      return matches(expression, input) ? "true" : "false";
    case Function::kContains:
      return holds(input.find(expression.text) != std::string_view::npos);
    case Function::kHas:
      return holds(has(input, expression.characters));
    case Function::kAll:
      return holds(all(input, expression.characters));
    case Function::kStarts:
      return holds(starts(input, expression.characters));
    case Function::kEnds:
      return holds(ends(input, expression.characters));
    case Function::kColumn:
    case Function::kIn:
    case Function::kOffset:
    case Function::kFirst:
    case Function::kLast:
      break;
  }
  assert(false && "not a function of text");
  return std::nullopt;
}

std::shared_ptr<const re2::RE2> compile_pattern(const std::string& pattern,
                                                std::string& complaint) {
  if (pattern.size() > kMaxPatternBytes) {
    complaint = "a pattern may have " + std::to_string(kMaxPatternBytes) + " bytes";
    return nullptr;
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemory);
  auto compiled = std::make_shared<const RE2>(pattern, options);
  if (compiled->ok()) return compiled;
  complaint = compiled->error();
  return nullptr;
}

}  // namespace trellis::tag
