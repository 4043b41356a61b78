#include "trellis/tasks/tag/templates/expression_parser.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

constexpr Index kMaxDepth = 16;
constexpr long long kMaxAffix = 64;
constexpr Index kMaxReplacementBytes = 100;

bool is_plain_text(std::string_view pattern) {
  return !pattern.empty() && pattern.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos;
}

}  // namespace

const ExpressionParser::FunctionName* ExpressionParser::find_function(std::string_view name) {
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

bool ExpressionParser::define(const std::string& name, Index expression) {
  return definitions_.emplace(name, expression).second;
}

Index ExpressionParser::offset(const TemplateScanner& scanner, Index begin, Index expression) {
  Call call;
  call.expression.function = Function::kOffset;
  return apply(scanner, begin, "offset", call, expression);
}

std::pair<long long, long long> ExpressionParser::parse_range(TemplateScanner& scanner,
                                                              std::string_view what,
                                                              long long lowest, long long highest) {
  const long long low = scanner.expect_integer(what, lowest, highest);
  if (!scanner.accept_symbol("..")) return {low, low};
  const Index begin = scanner.peek().offset;
  const long long high = scanner.expect_integer(what, lowest, highest);
  if (high < low) scanner.fail(begin, fmt::format("a range goes upward: {}..{}", high, low));
  return {low, high};
}

NamedExpression ExpressionParser::parse_single(TemplateScanner& scanner, std::string_view what) {
  const Index begin = scanner.peek().offset;
  std::vector<NamedExpression> parsed = parse(scanner);
  if (parsed.size() > 1) {
    scanner.fail(begin, fmt::format("{} must be one expression, not a range", what));
  }
  return std::move(parsed.front());
}

std::vector<NamedExpression> ExpressionParser::parse(TemplateScanner& scanner, Index depth) {
  const Index begin = scanner.peek().offset;
  if (depth == kMaxDepth) scanner.fail(begin, "functions are nested too deeply");
  const std::string word = scanner.expect_name("an expression");
  if (word == "column") return {parse_column(scanner)};
  if (word == "first" || word == "last") return {add_position_test(word)};
  if (scanner.at_symbol("(")) {
    const FunctionName* function = find_function(word);
    if (function == nullptr) {
      scanner.fail(begin, fmt::format("there is no function \"{}\"", utf8_prefix(word, 40)));
    }
    return parse_call(scanner, *function, depth);
  }
  const auto defined = definitions_.find(word);
  if (defined == definitions_.end()) {
    scanner.fail(begin, fmt::format("\"{}\" is not defined", utf8_prefix(word, 40)));
  }
  return {{defined->second, word}};
}

NamedExpression ExpressionParser::parse_column(TemplateScanner& scanner) {
  const long long column =
      scanner.expect_integer("a column", 0, TemplateProgramBuilder::kMaxColumn);
  Expression expression;
  expression.column = static_cast<Index>(column);
  return {builder_.add(fmt::format("column({})", column), std::move(expression)),
          fmt::format("column {}", column)};
}

NamedExpression ExpressionParser::add_position_test(const std::string& word) {
  Expression expression;
  expression.function = word == "first" ? Function::kFirst : Function::kLast;
  return {builder_.add(word, std::move(expression)), word};
}

std::vector<NamedExpression> ExpressionParser::parse_call(TemplateScanner& scanner,
                                                          const FunctionName& function,
                                                          Index depth) {
  scanner.expect_symbol("(");
  const Index begin = scanner.peek().offset;
  const std::vector<NamedExpression> inputs = parse(scanner, depth + 1);
  if (function.arguments != Arguments::kNone) scanner.expect_symbol(",");
  const std::vector<Call> calls = parse_arguments(scanner, function);
  scanner.expect_symbol(")");
  std::vector<NamedExpression> applied;
  for (const NamedExpression& input : inputs) {
    for (const Call& call : calls) {
      applied.push_back({apply(scanner, begin, function.name, call, input.expression),
                         fmt::format("{}({}{})", function.name, input.text, call.text)});
    }
  }
  return applied;
}

Index ExpressionParser::apply(const TemplateScanner& scanner, Index begin,
                              std::string_view function_name, const Call& call, Index input) {
  if (builder_.full()) scanner.fail(begin, "the template is too large");
  if (is_test(builder_.expression(input).function)) {
    scanner.fail(begin, "this is a test, it has no text");
  }
  if (builder_.expression(input).function == Function::kIn) {
    scanner.fail(begin, "in(…) cannot be an argument");
  }
  Expression expression = call.expression;
  expression.input = input;
  expression.column = builder_.expression(input).column;
  // A list that is looked up without regard to case is in lower case.
  if (expression.function == Function::kIn && expression.number != 0) {
    Call lower;
    lower.expression.function = Function::kLower;
    expression.input = apply(scanner, begin, "lower", lower, input);
  }
  return builder_.add(fmt::format("{}({}{})", function_name, input, call.text),
                      std::move(expression));
}

std::vector<ExpressionParser::Call> ExpressionParser::parse_arguments(
    TemplateScanner& scanner, const FunctionName& function) {
  if (function.arguments == Arguments::kLengths) return parse_lengths(scanner, function.function);
  Call call;
  call.expression.function = function.function;
  switch (function.arguments) {
    case Arguments::kPattern:
      parse_pattern(scanner, call);
      break;
    case Arguments::kPatternAndText:
      parse_replacement(scanner, call);
      break;
    case Arguments::kText:
      call.expression.text = scanner.expect_string("a text in quotes");
      call.text = fmt::format(",\"{}\"", call.expression.text);
      break;
    case Arguments::kClass:
      parse_class(scanner, call);
      break;
    case Arguments::kList:
      parse_list(scanner, call);
      break;
    case Arguments::kNone:
    case Arguments::kLengths:
      break;
  }
  return {std::move(call)};
}

std::vector<ExpressionParser::Call> ExpressionParser::parse_lengths(TemplateScanner& scanner,
                                                                    Function function) {
  const auto [low, high] = parse_range(scanner, "a length", 1, kMaxAffix);
  std::vector<Call> calls;
  for (long long length = low; length <= high; ++length) {
    Call call;
    call.expression.function = function;
    call.expression.number = static_cast<Index>(length);
    call.text = fmt::format(",{}", length);
    calls.push_back(std::move(call));
  }
  return calls;
}

void ExpressionParser::parse_pattern(TemplateScanner& scanner, Call& call) {
  const Index begin = scanner.peek().offset;
  const std::string pattern = scanner.expect_string("a pattern in quotes");
  call.text = fmt::format(",\"{}\"", pattern);
  if (call.expression.function == Function::kReplace && is_plain_text(pattern)) {
    call.expression.text_to_find = pattern;
    return;
  }
  std::string complaint;
  call.expression.pattern = builder_.pattern(pattern, complaint);
  if (call.expression.pattern == nullptr) {
    scanner.fail(begin, "this pattern does not work: " + complaint);
  }
}

void ExpressionParser::parse_replacement(TemplateScanner& scanner, Call& call) {
  parse_pattern(scanner, call);
  scanner.expect_symbol(",");
  const Index begin = scanner.peek().offset;
  call.expression.text = scanner.expect_string("a text in quotes");
  call.text += fmt::format(",\"{}\"", call.expression.text);
  if (call.expression.text.size() > kMaxReplacementBytes) {
    scanner.fail(begin, fmt::format("the text may have {} bytes", kMaxReplacementBytes));
  }
  std::string complaint;
  if (call.expression.pattern != nullptr &&
      !call.expression.pattern->CheckRewriteString(call.expression.text, &complaint)) {
    scanner.fail(begin, "this replacement does not work: " + complaint);
  }
}

void ExpressionParser::parse_class(TemplateScanner& scanner, Call& call) {
  constexpr std::string_view kClasses = "letter, upper, lower, digit, alnum or punctuation";
  const Index begin = scanner.peek().offset;
  const std::string word = scanner.expect_name(kClasses);
  const auto characters = character_class(word);
  if (!characters) {
    scanner.fail(begin, fmt::format("expected {}, found \"{}\"", kClasses, utf8_prefix(word, 40)));
  }
  call.expression.characters = *characters;
  call.text = fmt::format(",{}", word);
}

void ExpressionParser::parse_list(TemplateScanner& scanner, Call& call) {
  const Index begin = scanner.peek().offset;
  const std::string path = scanner.expect_string("the file of a list in quotes");
  if (path.empty()) scanner.fail(begin, "the list has no name");
  call.text = fmt::format(",\"{}\"", path);
  if (scanner.accept_symbol(",")) {
    if (!scanner.at_name("ignore_case")) scanner.fail_expected("ignore_case");
    scanner.next();
    call.expression.number = 1;
    call.text += ",ignore_case";
  }
  call.expression.list = load_list(scanner, begin, path, call.expression.number != 0);
}

std::shared_ptr<const Gazetteer> ExpressionParser::load_list(const TemplateScanner& scanner,
                                                             Index begin, const std::string& path,
                                                             bool ignore_case) {
  std::shared_ptr<const Gazetteer>& list = lists_[{path, ignore_case}];
  if (list != nullptr) return list;
  try {
    const auto known = builder_.lists().find(path);
    const std::string text = known == builder_.lists().end() ? loader_(path) : known->second;
    list = std::make_shared<const Gazetteer>(text, path, ignore_case);
    if (known == builder_.lists().end()) builder_.lists()[path] = normalize_phrases(text);
  } catch (const InputError& error) {
    scanner.fail(begin, error.what());
  }
  return list;
}

}  // namespace trellis::tag
