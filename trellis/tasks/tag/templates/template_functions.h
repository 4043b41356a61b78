// The functions of the template language: they map the text of a token to another text or nothing.
//
// A test (match, has, …) returns the empty text if it holds: it restricts the attributes that
// contain it and adds nothing to their names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace re2 {
class RE2;
}

namespace trellis::tag {

enum class Function : std::uint8_t {
  kColumn,       // the field itself
  kLower,        // Unicode lower case
  kUpper,        // Unicode upper case
  kShape,        // Collins (2002): "Xxxxx-dd" for "Trel-42" …
  kShortShape,   // … and "Xx-d"
  kLength,       // in characters
  kCase,         // one of none lower title upper single mixed
  kReplace,      // every match of `pattern`, replaced by `text`
  kFindOrEmpty,  // Wapiti's %m: the empty text if there is no match
  kTest,         // "true" or "false": `pattern` matches somewhere
  // The following functions are partial: they have no value for some texts.
  kFind,    // the first match of `pattern`, or its first group
  kPrefix,  // the first `number` characters; none for a shorter word
  kSuffix,  // the last `number` characters
  kIn,      // position in the longest phrase of `list`: B, I, L or U
  kOffset,  // an integer: offset to another token; has no text
  // The following functions are tests.
  kMatch,     // `pattern` matches somewhere
  kContains,  // contains `text`
  kHas,       // contains one of `characters`
  kAll,       // consists of `characters`, and is not empty
  kStarts,    // the first character is one of them
  kEnds,      // the last character is one of them
  kFirst,     // the token is the first of its sentence
  kLast,      // the token is the last of its sentence
};

enum class CharacterClass : std::uint8_t {
  kLetter,
  kUpper,
  kLower,
  kDigit,
  kAlnum,        // letters and digits
  kPunctuation,  // Unicode punctuation and symbols
};
constexpr auto names_of(CharacterClass) {
  return Names{"class", "letter", "upper", "lower", "digit", "alnum", "punctuation"};
}

inline constexpr Index kNoIndex = ~Index{0};

// A call of a function. `input` is the number of an earlier expression.
struct Expression {
  Function function = Function::kColumn;
  Index input = kNoIndex;   // kNoIndex: kColumn, kFirst, kLast
  Index column = kNoIndex;  // the original column of the text; kNoIndex: kFirst, kLast
  Index number = 0;
  CharacterClass characters = CharacterClass::kLetter;
  std::string text;
  std::shared_ptr<const re2::RE2> pattern;  // null for kReplace if `text_to_find` is enough
  std::string text_to_find;
  std::shared_ptr<const Gazetteer> list;

  Index slot = kNoIndex;  // in the row of a token; kNoIndex: only an input
};

inline bool is_test(Function function) {
  return function >= Function::kMatch;
}
// Whether the function has no value for some texts.
inline bool is_partial(Function function) {
  return function >= Function::kFind;
}

// The value of a function of text (not kIn, kOffset, kFirst, kLast) for `input`: a view into
// `input`, into `buffer` or into a constant, or nothing.
std::optional<std::string_view> apply(const Expression& expression, std::string_view input,
                                      std::string& buffer);

// RE2 syntax. Every pattern takes time linear in the text; the compiled pattern and its automata
// have a memory limit. For an invalid pattern returns null, with the reason in `complaint`.
std::shared_ptr<const re2::RE2> compile_pattern(const std::string& pattern, std::string& complaint);

}  // namespace trellis::tag
