#include "trellis/tasks/tag/templates/macro_lines.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kMacroLetters = "xXtTmM";

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_macro_at(std::string_view line, Index i) {
  return i + 2 < line.size() && line[i] == '%' &&
         kMacroLetters.find(line[i + 1]) != std::string_view::npos && line[i + 2] == '[';
}

bool matches(const re2::RE2& pattern, std::string_view line) {
  return re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), pattern);
}

// Wapiti's lines differ from CRF++'s in comments and in their markers outside the sentence.
bool is_wapiti(std::string_view line) {
  static const re2::RE2 macro(R"(%([XtTmM]\[|x\[[ \t\r]*[@*]))");
  return (line[0] != 'U' && line[0] != 'B') || matches(macro, line);
}

std::string_view strip(std::string_view line, bool comments) {
  if (comments) line = line.substr(0, line.find('#'));
  const Index last = line.find_last_not_of(kBlanks);
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

class MacroLineParser {
 public:
  MacroLineParser(std::string_view name, Index number, std::string_view line,
                  TemplateProgramBuilder& builder)
      : name_(name),
        number_(number),
        source_(line),
        boundary_(is_wapiti(line) ? Boundary::kWapiti : Boundary::kCrfpp),
        line_(strip(line, boundary_ == Boundary::kWapiti)),
        builder_(builder) {}

  void parse() {
    Attribute attribute;
    std::string literal;
    while (i_ < line_.size()) {
      if (line_[i_] != '%') {
        literal += line_[i_++];
        continue;
      }
      Piece piece = parse_macro();
      piece.literal = std::exchange(literal, "");
      attribute.pieces.push_back(std::move(piece));
    }
    attribute.tail = std::move(literal);
    const char kind = line_[0];
    if (kind != 'b' && kind != 'B') builder_.add_node(attribute);
    if (kind != 'u' && kind != 'U') builder_.add_edge(std::move(attribute));
  }

 private:
  [[noreturn]] void fail(Index offset, std::string_view complaint) const {
    throw TemplateError(name_, number_, source_, offset, complaint);
  }

  void skip_blanks() { i_ = std::min(line_.find_first_not_of(kBlanks, i_), line_.size()); }

  bool accept(char c) {
    if (i_ == line_.size() || line_[i_] != c) return false;
    ++i_;
    return true;
  }

  void expect(char c) {
    skip_blanks();
    if (!accept(c)) fail(i_, fmt::format("expected \"{}\" in the macro", c));
  }

  long long expect_integer(std::string_view what, long long lowest, long long highest) {
    skip_blanks();
    const Index begin = i_;
    if (i_ < line_.size() && (line_[i_] == '-' || line_[i_] == '+')) ++i_;
    while (i_ < line_.size() && line_[i_] >= '0' && line_[i_] <= '9') ++i_;
    const Index digits = begin + (begin < i_ && line_[begin] == '+' ? 1 : 0);
    const auto value = parse_integer(line_.substr(digits, i_ - digits));
    if (!value) fail(begin, fmt::format("expected {}", what));
    if (*value < lowest || *value > highest) {
      fail(begin, fmt::format("{} must lie between {} and {}", what, lowest, highest));
    }
    return *value;
  }

  Index expect_column() {
    return builder_.column(
        static_cast<Index>(expect_integer("a column", 0, TemplateProgramBuilder::kMaxColumn)));
  }

  Index derive(Function function, std::string_view name, Index input) {
    Expression expression;
    expression.function = function;
    return builder_.derive(name, input, "", std::move(expression));
  }

  Piece parse_macro() {
    const Index begin = i_;
    if (!is_macro_at(line_, begin)) {
      fail(begin, "expected a macro: %x[row,column], or %X, %t, %T, %m or %M");
    }
    if (builder_.full()) fail(begin, "the template is too large");
    const char letter = line_[begin + 1];
    i_ += 3;
    const Place place = parse_place();
    expect(',');
    Index expression = expect_column();
    if (letter != 'x' && letter != 'X') expression = parse_pattern(letter, expression);
    expect(']');
    if (letter == 'X' || letter == 'M') expression = derive(Function::kLower, "lower", expression);
    return builder_.piece(expression, place, boundary_);
  }

  Place parse_place() {
    constexpr long long kFar = TemplateProgramBuilder::kMaxOffset;
    Place place;
    skip_blanks();
    const Index begin = i_;
    if (accept('@')) {
      const long long at = expect_integer("a position", -kFar, kFar);
      if (at == 0) fail(begin, Place::kNoZero);
      place = Place::absolute(at);
    } else if (accept('*')) {
      place.anchor = Place::Anchor::kPointer;
      place.pointer = derive(Function::kOffset, "offset", expect_column());
    } else {
      place.offset = static_cast<std::int32_t>(expect_integer("a row", -kFar, kFar));
    }
    return place;
  }

  Index parse_pattern(char letter, Index input) {
    expect(',');
    expect('"');
    const Index begin = i_;
    while (i_ < line_.size() && line_[i_] != '"') i_ += line_[i_] == '\\' ? 2 : 1;
    if (i_ >= line_.size()) fail(begin - 1, "this pattern has no closing \"");
    const auto pattern = translate_wapiti_pattern(line_.substr(begin, i_ - begin));
    if (!pattern) fail(begin, "\"*\" or \"?\" must follow something to repeat");
    ++i_;
    const bool test = letter == 't' || letter == 'T';
    Expression match;
    match.function = test ? Function::kTest : Function::kFindOrEmpty;
    std::string complaint;
    match.pattern = builder_.pattern(*pattern, complaint);
    if (match.pattern == nullptr) fail(begin, "this pattern is not valid: " + complaint);
    return builder_.derive(test ? "test" : "find_or_empty", input, fmt::format(",\"{}\"", *pattern),
                           std::move(match));
  }

  std::string_view name_;
  Index number_;
  std::string_view source_;
  Boundary boundary_;
  std::string_view line_;
  TemplateProgramBuilder& builder_;
  Index i_ = 0;
};

// The meaning of a class letter of Wapiti inside brackets; empty for an escaped character.
std::string_view wapiti_class(char letter) {
  constexpr std::pair<char, std::string_view> kClasses[] = {
      {'a', "A-Za-z"},           {'d', "0-9"}, {'l', "a-z"},       {'p', "[:punct:]"},
      {'s', " \\t\\n\\v\\f\\r"}, {'u', "A-Z"}, {'w', "A-Za-z0-9"},
  };
  for (const auto& [known, characters] : kClasses) {
    if (known == letter) return characters;
  }
  return "";
}

bool is_punctuation(char c) {
  return static_cast<unsigned char>(c) < 0x80 && !is_word_character(c) && c > ' ';
}

std::string translate_escape(char letter) {
  if (!wapiti_class(letter).empty()) return fmt::format("[{}]", wapiti_class(letter));
  const char lower = static_cast<char>(letter | 0x20);
  if (letter >= 'A' && letter <= 'Z' && !wapiti_class(lower).empty()) {
    return fmt::format("[^{}]", wapiti_class(lower));
  }
  return is_punctuation(letter) ? fmt::format("\\{}", letter) : std::string(1, letter);
}

}  // namespace

bool is_macro_line(std::string_view line) {
  static const re2::RE2 marked(R"(^(\*|[UuBb][ \t\r]*(#|$)|[UuBb]\w*:))");
  static const re2::RE2 macro(R"(^[UuBb].*%[xXtTmM]\[)");
  // "name = …", unless a macro follows: a definition in our language.
  static const re2::RE2 definition(R"(^\w*[ \t\r]*=[ \t\r]*([^% \t\r]|$))");
  return matches(marked, line) || (matches(macro, line) && !matches(definition, line));
}

void parse_macro_line(std::string_view name, Index number, std::string_view line,
                      TemplateProgramBuilder& builder) {
  MacroLineParser(name, number, line, builder).parse();
}

std::optional<std::string> translate_wapiti_pattern(std::string_view pattern) {
  std::string out = "(?s)";
  bool repeatable = false;
  for (Index i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*' || c == '?') {
      if (!repeatable) return std::nullopt;
      out += c == '*' ? "*?" : "?";  // Wapiti prefers the shortest repetition
      repeatable = false;
      continue;
    }
    const bool anchor = (c == '^' && i == 0) || (c == '$' && i + 1 == pattern.size());
    repeatable = !anchor;
    if (anchor) {
      out += c;
    } else if (c == '.') {
      out += '.';
    } else if (c == '\\' && i + 1 < pattern.size()) {
      out += translate_escape(pattern[++i]);
    } else {
      if (is_punctuation(c)) out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace trellis::tag
