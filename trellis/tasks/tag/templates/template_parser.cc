#include "trellis/tasks/tag/templates/template_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/tag/templates/expression_parser.h"
#include "trellis/tasks/tag/templates/macro_lines.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {
namespace {

constexpr long long kFar = TemplateProgramBuilder::kMaxOffset;
constexpr Index kMaxItems = 16;

bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kReserved{"node",   "edge",  "boundary",
                                                             "column", "first", "last"};
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

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
      : name_(name), expressions_(loader, builder_) {}

  void parse_line(Index number, std::string_view line) {
    if (is_macro_line(line)) {
      parse_macro_line(name_, number, line, builder_);
      return;
    }
    TemplateScanner scanner(name_, number, line);
    while (!scanner.at_end()) {
      if (!scanner.at_symbol(";")) parse_statement(scanner);
      if (!scanner.at_end()) scanner.expect_symbol(";");
    }
  }

  TemplateProgram finish() { return builder_.finish(); }

 private:
  // A line that begins with `node` or `edge`: its names are those of its operands or `label`.
  struct Statement {
    Index begin;  // for messages
    bool edge;
    std::optional<std::string> label;
    std::vector<std::vector<Operand>> items;  // of each, every operand in turn
  };

  void parse_statement(TemplateScanner& scanner) {
    const Index begin = scanner.peek().offset;
    const std::string word = scanner.expect_name("node, edge, boundary or a definition");
    if (word == "node" || word == "edge") return parse_attributes(scanner, word == "edge");
    if (word == "boundary") return parse_boundary(scanner);
    if (is_reserved(word)) scanner.fail(begin, fmt::format("\"{}\" cannot be defined", word));
    if (!scanner.accept_symbol("=")) {
      scanner.fail(begin, fmt::format("expected node, edge, boundary or a definition, found \"{}\"",
                                      utf8_prefix(word, 40)));
    }
    const NamedExpression value = expressions_.parse_single(scanner, "a definition");
    if (!expressions_.define(word, value.expression)) {
      scanner.fail(begin, fmt::format("\"{}\" is defined already", word));
    }
  }

  void parse_boundary(TemplateScanner& scanner) {
    if (!scanner.at_name("mark") && !scanner.at_name("drop")) scanner.fail_expected("mark or drop");
    boundary_ = scanner.next().text == "mark" ? Boundary::kMark : Boundary::kDrop;
  }

  void parse_attributes(TemplateScanner& scanner, bool edge) {
    Statement statement{scanner.peek().offset, edge, std::nullopt, {}};
    if (scanner.at_end() || scanner.at_symbol(";")) {
      return edge ? builder_.add_edge({}) : add_constant(scanner, statement, "bias");
    }
    if (scanner.peek().kind == TokenKind::kString) {
      statement.label = scanner.expect_string("a name");
      if (statement.label->empty()) scanner.fail(statement.begin, "an attribute must have a name");
      if (!scanner.accept_symbol(":")) {
        if (edge) scanner.fail(statement.begin, "plain transitions have no name: write edge");
        return add_constant(scanner, statement, *statement.label);
      }
    }
    do {
      if (statement.items.size() == kMaxItems) {
        scanner.fail(scanner.peek().offset,
                     fmt::format("a conjunction may have {} items", kMaxItems));
      }
      statement.items.push_back(parse_item(scanner));
    } while (scanner.accept_symbol("|"));
    std::vector<Operand> chosen;
    add_conjunctions(scanner, statement, chosen);
  }

  void add_constant(const TemplateScanner& scanner, const Statement& statement,
                    const std::string& text) {
    check_new(scanner, statement, "node\t" + text);
    Attribute attribute;
    attribute.tail = text;
    builder_.add_node(std::move(attribute));
  }

  // Every way to choose one operand of each item, the last item changing fastest.
  void add_conjunctions(const TemplateScanner& scanner, const Statement& statement,
                        std::vector<Operand>& chosen) {
    if (chosen.size() == statement.items.size()) {
      return add_conjunction(scanner, statement, chosen);
    }
    for (const Operand& operand : statement.items[chosen.size()]) {
      chosen.push_back(operand);
      add_conjunctions(scanner, statement, chosen);
      chosen.pop_back();
    }
  }

  void add_conjunction(const TemplateScanner& scanner, const Statement& statement,
                       const std::vector<Operand>& operands) {
    std::string head = statement.label.value_or("");
    std::string key = statement.edge ? "edge" : "node";
    for (const Operand& operand : operands) {
      key +=
          fmt::format("\t{} {} {} {}", operand.expression, static_cast<int>(operand.place.anchor),
                      operand.place.offset, operand.place.pointer);
      if (!statement.label) head += (head.empty() ? "" : "|") + operand.text;
    }
    check_new(scanner, statement, key + "\t" + head);
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

  // The same attribute twice is a slip of the pen, and would count twice.
  void check_new(const TemplateScanner& scanner, const Statement& statement,
                 const std::string& key) {
    if (builder_.full()) scanner.fail(statement.begin, "the template is too large");
    const auto [known, is_new] = line_of_attribute_.try_emplace(key, scanner.line_number());
    if (!is_new) scanner.fail(statement.begin, fmt::format("this repeats line {}", known->second));
  }

  std::vector<Operand> parse_item(TemplateScanner& scanner) {
    const std::vector<NamedExpression> expressions = expressions_.parse(scanner);
    const std::vector<NamedPlace> places = parse_places(scanner);
    std::vector<Operand> operands;
    for (const NamedExpression& named : expressions) {
      for (const NamedPlace& place : places) {
        operands.push_back(
            {named.expression, place.place, fmt::format("{}[{}]", named.text, place.text)});
      }
    }
    return operands;
  }

  std::vector<NamedPlace> parse_places(TemplateScanner& scanner) {
    if (!scanner.accept_symbol("[")) return {{Place{}, "0"}};
    std::vector<NamedPlace> places;
    if (scanner.peek().kind == TokenKind::kInteger) {
      const auto [low, high] = ExpressionParser::parse_range(scanner, "an offset", -kFar, kFar);
      for (long long offset = low; offset <= high; ++offset) {
        Place place;
        place.offset = static_cast<std::int32_t>(offset);
        places.push_back({place, std::to_string(offset)});
      }
    } else if (scanner.accept_symbol("@")) {
      places.push_back(parse_absolute_place(scanner));
    } else {
      places.push_back(parse_pointer(scanner));
    }
    scanner.expect_symbol("]");
    return places;
  }

  NamedPlace parse_absolute_place(TemplateScanner& scanner) {
    const Index begin = scanner.peek().offset;
    const long long at = scanner.expect_integer("a position", -kFar, kFar);
    if (at == 0) scanner.fail(begin, "@1 is the first token and @-1 the last; there is no @0");
    Place place;
    place.anchor = at > 0 ? Place::Anchor::kFirst : Place::Anchor::kLast;
    place.offset = static_cast<std::int32_t>(at > 0 ? at - 1 : at);
    return {place, fmt::format("@{}", at)};
  }

  NamedPlace parse_pointer(TemplateScanner& scanner) {
    const Index begin = scanner.peek().offset;
    const NamedExpression named = expressions_.parse_single(scanner, "an offset");
    Place place;
    place.anchor = Place::Anchor::kPointer;
    place.pointer = expressions_.offset(scanner, begin, named.expression);
    return {place, named.text};
  }

  std::string_view name_;
  TemplateProgramBuilder builder_;
  ExpressionParser expressions_;
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
