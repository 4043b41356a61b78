#include "trellis/tasks/tag/templates/template_parser.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/tag/templates/macro_lines.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {
namespace {

constexpr long long kFar = TemplateProgramBuilder::kMaxOffset;
constexpr Index kMaxItems = 16;
constexpr Index kMaxDepth = 16;
constexpr long long kMaxAffix = 64;
constexpr Index kMaxReplacementBytes = 100;

bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kReserved{"node",   "edge",  "boundary",
                                                             "column", "first", "last"};
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

bool is_plain_text(std::string_view pattern) {
  return !pattern.empty() && pattern.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos;
}

enum class Arguments { kNone, kLengths, kPattern, kPatternAndText, kText, kClass, kList };

struct FunctionName {
  std::string_view name;
  Function function;
  Arguments arguments;
};

const FunctionName* find_function(std::string_view name) {
  static constexpr std::array<FunctionName, 18> kFunctions{{
      {"lower", Function::kLower, Arguments::kNone},
      {"upper", Function::kUpper, Arguments::kNone},
      {"shape", Function::kShape, Arguments::kNone},
      {"short_shape", Function::kShortShape, Arguments::kNone},
      {"length", Function::kLength, Arguments::kNone},
      {"case", Function::kCase, Arguments::kNone},
      {"prefix", Function::kPrefix, Arguments::kLengths},
      {"suffix", Function::kSuffix, Arguments::kLengths},
      {"replace", Function::kReplace, Arguments::kPatternAndText},
      {"find", Function::kFind, Arguments::kPattern},
      {"match", Function::kMatch, Arguments::kPattern},
      {"test", Function::kTest, Arguments::kPattern},
      {"contains", Function::kContains, Arguments::kText},
      {"has", Function::kHas, Arguments::kClass},
      {"all", Function::kAll, Arguments::kClass},
      {"starts", Function::kStarts, Arguments::kClass},
      {"ends", Function::kEnds, Arguments::kClass},
      {"in", Function::kIn, Arguments::kList},
  }};
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const FunctionName& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

// An expression and its name in attributes: "lower(word)".
struct NamedExpression {
  Index expression;
  std::string text;
};

// A function and its further arguments, without the expression that it is applied to.
struct Call {
  Expression expression;
  std::string text;  // the arguments: ",3"
};

struct NamedPlace {
  Place place;
  std::string text;
};

// One operand of a conjunction.
struct Operand {
  Index expression;
  Place place;
  std::string text;  // "word[-1]"
};

class TemplateParser {
 public:
  TemplateParser(std::string_view name, const GazetteerLoader& loader)
      : name_(name), loader_(loader) {}

  void parse_line(Index number, std::string_view line) {
    if (is_macro_line(line)) {
      parse_macro_line(name_, number, line, builder_);
      return;
    }
    scanner_ = TemplateScanner(name_, number, line);
    while (!scanner_.at_end()) {
      if (!scanner_.at_symbol(";")) parse_statement();
      if (!scanner_.at_end()) scanner_.expect_symbol(";");
    }
  }

  TemplateProgram finish() { return builder_.finish(); }

 private:
  // A line that begins with `node` or `edge`: names come from its operands or from `label`.
  struct Statement {
    Index begin;  // for messages
    bool edge;
    std::optional<std::string> label;
    std::vector<std::vector<Operand>> items;  // the operands of each item, one after another
  };

  Index here() const { return scanner_.peek().offset; }
  [[noreturn]] void fail(Index offset, const std::string& complaint) const {
    scanner_.fail(offset, complaint);
  }

  void parse_statement() {
    const Index begin = here();
    const std::string word = scanner_.expect_name("node, edge, boundary or a definition");
    if (word == "node" || word == "edge") return parse_attributes(word == "edge");
    if (word == "boundary") return parse_boundary();
    if (is_reserved(word)) fail(begin, fmt::format("\"{}\" cannot be defined", word));
    if (!scanner_.accept_symbol("=")) {
      fail(begin, fmt::format("expected node, edge, boundary or a definition, found \"{}\"",
                              utf8_prefix(word, 40)));
    }
    const NamedExpression value = parse_single("a definition");
    if (!definitions_.emplace(word, value.expression).second) {
      fail(begin, fmt::format("\"{}\" is already defined", word));
    }
  }

  void parse_boundary() {
    if (!scanner_.at_name("mark") && !scanner_.at_name("drop")) {
      scanner_.fail_expected("mark or drop");
    }
    boundary_ = scanner_.next().text == "mark" ? Boundary::kMark : Boundary::kDrop;
  }

  void parse_attributes(bool edge) {
    Statement statement{here(), edge, std::nullopt, {}};
    if (scanner_.at_end() || scanner_.at_symbol(";")) {
      return edge ? builder_.add_edge({}) : add_constant(statement, "bias");
    }
    if (scanner_.peek().kind == TokenKind::kString) {
      statement.label = scanner_.expect_string("a name");
      if (statement.label->empty()) fail(statement.begin, "an attribute must have a name");
      if (!scanner_.accept_symbol(":")) {
        if (edge) fail(statement.begin, "plain transitions have no name: write edge");
        return add_constant(statement, *statement.label);
      }
    }
    do {
      if (statement.items.size() == kMaxItems) {
        fail(here(), fmt::format("a conjunction may have {} items", kMaxItems));
      }
      statement.items.push_back(parse_item());
    } while (scanner_.accept_symbol("|"));
    std::vector<Operand> chosen;
    add_conjunctions(statement, chosen);
  }

  void add_constant(const Statement& statement, const std::string& text) {
    check_new(statement, "node\t" + text);
    Attribute attribute;
    attribute.tail = text;
    builder_.add_node(std::move(attribute));
  }

  // Adds every choice of one operand per item; the last item changes fastest.
  void add_conjunctions(const Statement& statement, std::vector<Operand>& chosen) {
    if (chosen.size() == statement.items.size()) return add_conjunction(statement, chosen);
    for (const Operand& operand : statement.items[chosen.size()]) {
      chosen.push_back(operand);
      add_conjunctions(statement, chosen);
      chosen.pop_back();
    }
  }

  void add_conjunction(const Statement& statement, const std::vector<Operand>& operands) {
    std::string head = statement.label.value_or("");
    std::string key = statement.edge ? "edge" : "node";
    for (const Operand& operand : operands) {
      key +=
          fmt::format("\t{} {} {} {}", operand.expression, static_cast<int>(operand.place.anchor),
                      operand.place.offset, operand.place.pointer);
      if (!statement.label) head += (head.empty() ? "" : "|") + operand.text;
    }
    check_new(statement, key + "\t" + head);
    Attribute attribute;
    std::string separator = "=";
    for (const Operand& operand : operands) {
      Piece piece = builder_.piece(operand.expression, operand.place, boundary_);
      piece.literal = std::exchange(head, "");
      if (!is_test(builder_.expression(operand.expression).function)) {
        piece.literal += std::exchange(separator, "|");
      }
      attribute.pieces.push_back(std::move(piece));
    }
    if (statement.edge) {
      builder_.add_edge(std::move(attribute));
    } else {
      builder_.add_node(std::move(attribute));
    }
  }

  // A repeated attribute is a mistake, and would count twice.
  void check_new(const Statement& statement, const std::string& key) {
    if (builder_.full()) fail(statement.begin, "the template is too large");
    const auto [known, is_new] = line_of_attribute_.try_emplace(key, scanner_.line_number());
    if (!is_new) fail(statement.begin, fmt::format("this repeats line {}", known->second));
  }

  std::vector<Operand> parse_item() {
    const std::vector<NamedExpression> expressions = parse_expression();
    const std::vector<NamedPlace> places = parse_places();
    std::vector<Operand> operands;
    for (const NamedExpression& named : expressions) {
      for (const NamedPlace& place : places) {
        operands.push_back(
            {named.expression, place.place, fmt::format("{}[{}]", named.text, place.text)});
      }
    }
    return operands;
  }

  std::vector<NamedPlace> parse_places() {
    if (!scanner_.accept_symbol("[")) return {{Place{}, "0"}};
    std::vector<NamedPlace> places;
    const Index begin = here();
    if (scanner_.peek().kind == TokenKind::kInteger) {
      const auto [low, high] = parse_range("an offset", -kFar, kFar);
      for (long long offset = low; offset <= high; ++offset) {
        places.push_back({{Place::Anchor::kHere, static_cast<std::int32_t>(offset), kNoIndex},
                          std::to_string(offset)});
      }
    } else if (scanner_.accept_symbol("@")) {
      const Index number = here();
      const long long at = scanner_.expect_integer("a position", -kFar, kFar);
      if (at == 0) fail(number, std::string(Place::kNoZero));
      places.push_back({Place::absolute(at), fmt::format("@{}", at)});
    } else {
      const NamedExpression named = parse_single("an offset");
      Call offset;
      offset.expression.function = Function::kOffset;
      places.push_back(
          {{Place::Anchor::kPointer, 0, apply(begin, "offset", offset, named.expression)},
           named.text});
    }
    scanner_.expect_symbol("]");
    return places;
  }

  // Parses low or low..high.
  std::pair<long long, long long> parse_range(std::string_view what, long long lowest,
                                              long long highest) {
    const long long low = scanner_.expect_integer(what, lowest, highest);
    if (!scanner_.accept_symbol("..")) return {low, low};
    const Index begin = here();
    const long long high = scanner_.expect_integer(what, lowest, highest);
    if (high < low)
      fail(begin, fmt::format("the end of a range must not be below its start: {}..{}", high, low));
    return {low, high};
  }

  // Requires a single expression; messages name `what`.
  NamedExpression parse_single(std::string_view what) {
    const Index begin = here();
    std::vector<NamedExpression> parsed = parse_expression();
    if (parsed.size() > 1) fail(begin, fmt::format("{} must be one expression, not a range", what));
    return std::move(parsed.front());
  }

  // One expression, or several if a length is a range: prefix(word, 1..4).
  std::vector<NamedExpression> parse_expression(Index depth = 0) {
    const Index begin = here();
    if (depth == kMaxDepth) fail(begin, "functions are nested too deeply");
    const std::string word = scanner_.expect_name("an expression");
    if (word == "column") {
      const auto column = static_cast<Index>(
          scanner_.expect_integer("a column", 0, TemplateProgramBuilder::kMaxColumn));
      return {{builder_.column(column), fmt::format("column {}", column)}};
    }
    if (word == "first" || word == "last") {
      Expression test;
      test.function = word == "first" ? Function::kFirst : Function::kLast;
      return {{builder_.add(word, std::move(test)), word}};
    }
    if (scanner_.at_symbol("(")) {
      const FunctionName* function = find_function(word);
      if (function == nullptr) {
        fail(begin, fmt::format("there is no function \"{}\"", utf8_prefix(word, 40)));
      }
      return parse_call(*function, depth);
    }
    const auto defined = definitions_.find(word);
    if (defined == definitions_.end()) {
      fail(begin, fmt::format("\"{}\" is not defined", utf8_prefix(word, 40)));
    }
    return {{defined->second, word}};
  }

  std::vector<NamedExpression> parse_call(const FunctionName& function, Index depth) {
    scanner_.expect_symbol("(");
    const Index begin = here();
    const std::vector<NamedExpression> inputs = parse_expression(depth + 1);
    if (function.arguments != Arguments::kNone) scanner_.expect_symbol(",");
    const std::vector<Call> calls = parse_arguments(function);
    scanner_.expect_symbol(")");
    std::vector<NamedExpression> applied;
    for (const NamedExpression& input : inputs) {
      for (const Call& call : calls) {
        applied.push_back({apply(begin, function.name, call, input.expression),
                           fmt::format("{}({}{})", function.name, input.text, call.text)});
      }
    }
    return applied;
  }

  // Adds the call of a function that begins at `begin`.
  Index apply(Index begin, std::string_view name, const Call& call, Index input) {
    if (builder_.full()) fail(begin, "the template is too large");
    const Function inner = builder_.expression(input).function;
    if (is_test(inner)) fail(begin, "this function is a test: it has no text");
    if (inner == Function::kIn) fail(begin, "in(…) cannot be an argument");
    // Lists that ignore case are stored in lower case.
    if (call.expression.function == Function::kIn && call.expression.number != 0) {
      Call lower;
      lower.expression.function = Function::kLower;
      input = apply(begin, "lower", lower, input);
    }
    return builder_.derive(name, input, call.text, call.expression);
  }

  std::vector<Call> parse_arguments(const FunctionName& function) {
    Call call;
    call.expression.function = function.function;
    switch (function.arguments) {
      case Arguments::kNone:
        break;
      case Arguments::kLengths:
        return parse_lengths(call);
      case Arguments::kPattern:
        parse_pattern(call);
        break;
      case Arguments::kPatternAndText:
        parse_replacement(call);
        break;
      case Arguments::kText:
        call.expression.text = scanner_.expect_string("a text in quotes");
        call.text = fmt::format(",\"{}\"", call.expression.text);
        break;
      case Arguments::kClass:
        parse_class(call);
        break;
      case Arguments::kList:
        parse_list(call);
        break;
    }
    return {std::move(call)};
  }

  std::vector<Call> parse_lengths(Call call) {
    const auto [low, high] = parse_range("a length", 1, kMaxAffix);
    std::vector<Call> calls;
    for (long long length = low; length <= high; ++length) {
      call.expression.number = static_cast<Index>(length);
      call.text = fmt::format(",{}", length);
      calls.push_back(call);
    }
    return calls;
  }

  void parse_pattern(Call& call) {
    const Index begin = here();
    const std::string pattern = scanner_.expect_string("a pattern in quotes");
    call.text = fmt::format(",\"{}\"", pattern);
    if (call.expression.function == Function::kReplace && is_plain_text(pattern)) {
      call.expression.text_to_find = pattern;
      return;
    }
    std::string complaint;
    call.expression.pattern = builder_.pattern(pattern, complaint);
    if (call.expression.pattern == nullptr) fail(begin, "this pattern is not valid: " + complaint);
  }

  void parse_replacement(Call& call) {
    parse_pattern(call);
    scanner_.expect_symbol(",");
    const Index begin = here();
    call.expression.text = scanner_.expect_string("a text in quotes");
    call.text += fmt::format(",\"{}\"", call.expression.text);
    if (call.expression.text.size() > kMaxReplacementBytes) {
      fail(begin, fmt::format("the text may have {} bytes", kMaxReplacementBytes));
    }
    std::string complaint;
    if (call.expression.pattern != nullptr &&
        !call.expression.pattern->CheckRewriteString(call.expression.text, &complaint)) {
      fail(begin, "this replacement is not valid: " + complaint);
    }
  }

  void parse_class(Call& call) {
    constexpr auto kClasses = names_of(CharacterClass{}).words;
    const std::string expected = fmt::format(
        "{} or {}", fmt::join(kClasses.begin(), kClasses.end() - 1, ", "), kClasses.back());
    const Index begin = here();
    const std::string word = scanner_.expect_name(expected);
    const auto found = std::find(kClasses.begin(), kClasses.end(), word);
    if (found == kClasses.end()) {
      fail(begin, fmt::format("expected {}, found \"{}\"", expected, utf8_prefix(word, 40)));
    }
    call.expression.characters = static_cast<CharacterClass>(found - kClasses.begin());
    call.text = fmt::format(",{}", word);
  }

  void parse_list(Call& call) {
    const Index begin = here();
    const std::string path = scanner_.expect_string("the file of a list in quotes");
    if (path.empty()) fail(begin, "the list has no name");
    call.text = fmt::format(",\"{}\"", path);
    if (scanner_.accept_symbol(",")) {
      if (!scanner_.at_name("ignore_case")) scanner_.fail_expected("ignore_case");
      scanner_.next();
      call.expression.number = 1;
      call.text += ",ignore_case";
    }
    call.expression.list = load_list(begin, path, call.expression.number != 0);
  }

  std::shared_ptr<const Gazetteer> load_list(Index begin, const std::string& path,
                                             bool ignore_case) {
    std::shared_ptr<const Gazetteer>& list = lists_[{path, ignore_case}];
    if (list != nullptr) return list;
    try {
      const auto known = builder_.lists().find(path);
      const std::string text = known == builder_.lists().end() ? loader_(path) : known->second;
      list = std::make_shared<const Gazetteer>(text, path, ignore_case);
      if (known == builder_.lists().end()) builder_.lists()[path] = normalize_phrases(text);
    } catch (const InputError& error) {
      fail(begin, error.what());
    }
    return list;
  }

  std::string_view name_;
  const GazetteerLoader& loader_;
  TemplateProgramBuilder builder_;
  TemplateScanner scanner_{"", 0, ""};  // of the current line
  std::map<std::string, Index> definitions_;
  std::map<std::pair<std::string, bool>, std::shared_ptr<const Gazetteer>> lists_;
  std::map<std::string, Index> line_of_attribute_;
  Boundary boundary_ = Boundary::kMark;
};

void check_text(std::string_view text, std::string_view name) {
  if (text.size() > kMaxTemplateBytes) {
    throw InputError(name, 0, fmt::format("a template may have {} bytes", kMaxTemplateBytes));
  }
  const Index invalid = find_invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(invalid), '\n');
    throw InputError(name, static_cast<Index>(line), "the template is not valid UTF-8");
  }
}

}  // namespace

TemplateProgram parse_template(std::string_view text, std::string_view name,
                               const GazetteerLoader& loader) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  check_text(text, name);
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  TemplateParser parser(name, loader);
  for (Index begin = 0, number = 1; begin < text.size(); ++number) {
    const Index end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    parser.parse_line(number, line);
    begin = end + 1;
  }
  return parser.finish();
}

}  // namespace trellis::tag
