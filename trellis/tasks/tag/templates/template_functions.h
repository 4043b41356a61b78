// The functions of the template language: from the text of a token to another text, or to nothing.
//
// A test (match, has, …) is a function whose value, where it holds, is the empty text: it gates the
// attributes it takes part in and adds no value to their names.
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
  kReplace,      // every match of `pattern` replaced by `text`
  kFindOrEmpty,  // Wapiti's %m: the empty text where there is no match
  kTest,         // "true" or "false": `pattern` matches somewhere
  // Those that follow are partial: on some texts they have no value.
  kFind,    // the first match of `pattern`, or its first group
  kPrefix,  // the first `number` characters; nothing in a shorter word
  kSuffix,  // the last
  kIn,      // position in the longest phrase of `list`: B, I, L or U
  kOffset,  // an integer, as an offset to another token; has no text
  // And those are tests.
  kMatch,     // `pattern` matches somewhere
  kContains,  // has `text` in it
  kHas,       // has a character of `characters`
  kAll,       // has no other characters, and is not empty
  kStarts,    // the first character is one
  kEnds,      // the last character is one
  kFirst,     // the token is the first of its sentence
  kLast,      // the token is the last
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

// An application of a function. `input` is the number of an earlier expression.
struct Expression {
  Function function = Function::kColumn;
  Index input = kNoIndex;   // none: kColumn, kFirst, kLast
  Index column = kNoIndex;  // where the text comes from in the end; none: kFirst, kLast
  Index number = 0;
  CharacterClass characters = CharacterClass::kLetter;
  std::string text;
  std::shared_ptr<const re2::RE2> pattern;  // of kReplace none, if `text_to_find` is enough
  std::string text_to_find;
  std::shared_ptr<const Gazetteer> list;

  Index slot = kNoIndex;  // where its value stands in the row of a token; none: only an input
};

inline bool is_test(Function function) {
  return function >= Function::kMatch;
}
// Whether the function can have no value on a text.
inline bool is_partial(Function function) {
  return function >= Function::kFind;
}

// The value of a function of text (not kIn, kOffset, kFirst, kLast) on `input`: a view into
// `input`, into `buffer` or into a constant, or nothing.
std::optional<std::string_view> apply(const Expression& expression, std::string_view input,
                                      std::string& buffer);

// RE2 syntax. Linear in the text for every pattern; both the compiled pattern and its automata are
// held to a fixed memory. Where the pattern is refused, nothing, and the reason in `complaint`.
std::shared_ptr<const re2::RE2> compile_pattern(const std::string& pattern, std::string& complaint);

}  // namespace trellis::tag
