// The expressions of the template language: columns, functions of them, and their names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/tasks/tag/templates/gazetteer.h"
#include "trellis/tasks/tag/templates/template_program.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {

// An expression and what it is called in the names of attributes: "lower(word)".
struct NamedExpression {
  Index expression;
  std::string text;
};

class ExpressionParser {
 public:
  // Both must outlive the parser.
  ExpressionParser(const GazetteerLoader& loader, TemplateProgramBuilder& builder)
      : loader_(loader), builder_(builder) {}

  // One expression, or several where a length in it is a range: prefix(word, 1..4).
  std::vector<NamedExpression> parse(TemplateScanner& scanner) { return parse(scanner, 0); }
  // Just one; `what` stands in the message.
  NamedExpression parse_single(TemplateScanner& scanner, std::string_view what);

  // low or low..high.
  static std::pair<long long, long long> parse_range(TemplateScanner& scanner,
                                                     std::string_view what, long long lowest,
                                                     long long highest);

  // Gives `name` a meaning; false if it has one.
  bool define(const std::string& name, Index expression);

  // The expression as an offset to another token; `begin` is where it stands.
  Index offset(const TemplateScanner& scanner, Index begin, Index expression);

 private:
  enum class Arguments { kNone, kLengths, kPattern, kPatternAndText, kText, kClass, kList };
  struct FunctionName {
    std::string_view name;
    Function function;
    Arguments arguments;
  };
  // A function and its further arguments, to be applied to an expression.
  struct Call {
    Expression expression;
    std::string text;  // of the arguments: ",3"
  };

  static const FunctionName* find_function(std::string_view name);

  std::vector<NamedExpression> parse(TemplateScanner& scanner, Index depth);
  NamedExpression parse_column(TemplateScanner& scanner);
  NamedExpression add_position_test(const std::string& word);
  std::vector<NamedExpression> parse_call(TemplateScanner& scanner, const FunctionName& function,
                                          Index depth);
  std::vector<Call> parse_arguments(TemplateScanner& scanner, const FunctionName& function);
  std::vector<Call> parse_lengths(TemplateScanner& scanner, Function function);
  void parse_pattern(TemplateScanner& scanner, Call& call);
  void parse_replacement(TemplateScanner& scanner, Call& call);
  void parse_class(TemplateScanner& scanner, Call& call);
  void parse_list(TemplateScanner& scanner, Call& call);
  std::shared_ptr<const Gazetteer> load_list(const TemplateScanner& scanner, Index begin,
                                             const std::string& path, bool ignore_case);
  Index apply(const TemplateScanner& scanner, Index begin, std::string_view function_name,
              const Call& call, Index input);

  const GazetteerLoader& loader_;
  TemplateProgramBuilder& builder_;
  std::map<std::string, Index> definitions_;
  std::map<std::pair<std::string, bool>, std::shared_ptr<const Gazetteer>> lists_;
};

}  // namespace trellis::tag
