#include "trellis/tasks/factors/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/factors/graph_lines.h"

namespace trellis::factors {
namespace {

// The ends of a head count as on.
constexpr std::string_view kBefore = "^";
constexpr std::string_view kBehind = "$";

}  // namespace

class GraphReader::Parser {
 public:
  Parser(InputFile file, FactorFeatures& features) : lines_(std::move(file)), features_(features) {}

  bool read(GraphRecord& graph) {
    begin(graph);
    while (lines_.next()) {
      if (lines_.words().empty()) {
        if (graph.line != 0) break;
      } else {
        read_line();
      }
    }
    if (graph.line == 0) {
      if (any_) return false;
      throw InputError(lines_.file(), 0, "expected a graph ('var NAME DOMAIN'), found none");
    }
    any_ = true;
    finish();
    return true;
  }

 private:
  // A row of an attribute of a factor whose first part is not known yet.
  struct OwnRow {
    Index factor;
    WeightRow row;
  };

  void begin(GraphRecord& graph) {
    graph = {};
    graph.file = lines_.file();
    graph_ = &graph;
    builder_ = {};
    variables_.clear();
    own_rows_.clear();
    head_.clear();
    num_parts_ = 0;
  }

  void read_line() {
    struct Form {
      std::string_view word;
      void (Parser::*read)(Words rest);
    };
    static constexpr std::array<Form, 12> kForms = {{{"domain", &Parser::read_domain},
                                                     {"var", &Parser::read_variable},
                                                     {"table", &Parser::read_table},
                                                     {"sequence", &Parser::read_sequence},
                                                     {"pair", &Parser::read_pair},
                                                     {"head", &Parser::read_head},
                                                     {"next", &Parser::read_next},
                                                     {"one-of", &Parser::read_one_of},
                                                     {"at-most-one", &Parser::read_at_most_one},
                                                     {"or", &Parser::read_or},
                                                     {"budget", &Parser::read_budget},
                                                     {"tree", &Parser::read_tree}}};
    const std::string_view word = lines_.words()[0];
    const auto form = std::ranges::find(kForms, word, &Form::word);
    if (form == kForms.end()) {
      std::array<std::string_view, kForms.size()> known;
      std::ranges::transform(kForms, known.begin(), &Form::word);
      lines_.refuse(
          fmt::format("unknown first word of a line '{}': {}", word, suggestion(known, word)));
    }
    if (graph_->line == 0 && word != "domain") graph_->line = lines_.number();
    (this->*form->read)(Words(lines_.words()).subspan(1));
  }

  void read_domain(Words rest) {
    if (rest.size() < 2) lines_.refuse("expected 'domain NAME VALUE VALUE …'");
    std::string name(rest[0]);
    if (features_.frozen() && features_.domains().find(name) == Domains::kNone) {
      lines_.refuse("expected a domain of the model, found", name);
    }
    lines_.checked([&] {
      if (rest.size() == 2 && rest[1] == Domains::kSwitch) {
        features_.domains().declare_switch(std::move(name));
      } else {
        features_.domains().declare(std::move(name), {rest.begin() + 1, rest.end()});
      }
    });
  }

  void read_variable(Words rest) {
    if (rest.size() < 2) lines_.refuse("expected 'var NAME DOMAIN'");
    const std::string name(rest[0]);
    lines_.checked([&] { require_name(name, "a variable"); });
    if (name == kBefore || name == kBehind) {
      lines_.refuse("expected another name, since this name is reserved for the ends of a head:",
                    name);
    }
    const std::uint32_t d = features_.domains().find(rest[1]);
    if (d == Domains::kNone) lines_.refuse("expected a domain that is declared, found", rest[1]);
    const Domain& domain = features_.domains()[d];
    const auto [at, is_new] = variables_.emplace(name, graph_->variables.size());
    if (!is_new) {
      lines_.refuse(fmt::format("the graph already has a variable '{}', in line {}", name,
                                graph_->variables[at->second].line));
    }
    count_parts(domain.arity());
    const Index v = lines_.checked([&] { return builder_.add_variable(domain.arity()); });
    const bool says_gold = rest.size() > 2 && (rest[2].front() == '=' || rest[2] == "?");
    graph_->gold.push_back(says_gold ? read_gold(rest[2], domain) : kNoValue);
    graph_->variables.push_back({name, d, lines_.number()});
    const std::uint32_t type = features_.type(ScoreKind::kVariable, domain.name, {d});
    read_attributes(rest.subspan(says_gold ? 3 : 2));
    each_attribute(type, [&](Index weight, double value) {
      add_row({builder_.state(v), static_cast<std::uint32_t>(domain.arity()), weight, value});
    });
  }

  std::uint32_t read_gold(std::string_view word, const Domain& domain) const {
    if (word == "?") return kNoValue;
    const std::uint32_t value = domain.find(word.substr(1));
    if (value == kNoValue) {
      lines_.refuse(fmt::format("expected a value of the domain '{}', {}, found", domain.name,
                                domain.words()),
                    word.substr(1));
    }
    return value;
  }

  void read_table(Words rest) {
    const Words scope = read_scope(rest, "table NAME VARIABLE …");
    std::vector<std::uint32_t> variables;
    std::vector<std::uint32_t> domains;
    for (const std::string_view name : scope) {
      variables.push_back(variable(name));
      domains.push_back(graph_->variables[variables.back()].domain);
    }
    const auto type =
        lines_.checked([&] { return features_.type(ScoreKind::kTable, rest[0], domains); });
    const Index size = table_size(domains);
    add_factor(size, type, [&] { return builder_.add_table(variables); });
    each_attribute(type, [&](Index weight, double value) {
      add_own_row({0, static_cast<std::uint32_t>(size), weight, value});
    });
  }

  Index table_size(const std::vector<std::uint32_t>& domains) const {
    Index size = 1;  // at most kMostParts: the type was checked
    for (const std::uint32_t d : domains) size *= features_.domains()[d].values.size();
    return size;
  }

  void read_sequence(Words rest) {
    const Words scope = read_scope(rest, "sequence NAME VARIABLE …");
    std::vector<std::uint32_t> variables;
    for (const std::string_view name : scope) variables.push_back(variable(name));
    const std::uint32_t d = graph_->variables[variables[0]].domain;
    for (const std::uint32_t v : variables) {
      if (graph_->variables[v].domain == d) continue;
      lines_.refuse(fmt::format("expected variables of one domain, '{}', in a sequence, found",
                                features_.domains()[d].name),
                    graph_->variables[v].name);
    }
    if (features_.domains()[d].is_switch) {
      lines_.refuse("expected a domain with values in a sequence, found switches:", scope[0]);
    }
    const auto type =
        lines_.checked([&] { return features_.type(ScoreKind::kSequence, rest[0], {d}); });
    const Index values = features_.domains()[d].values.size();
    const Index pairs = values * values;  // at most kMostParts: the type was checked
    add_factor((variables.size() - 1) * pairs, type,
               [&] { return builder_.add_sequence(variables); });
    each_attribute(type, [&](Index weight, double value) {
      for (Index t = 0; t + 1 < variables.size(); ++t) {
        add_own_row({static_cast<std::uint32_t>(t * pairs), static_cast<std::uint32_t>(pairs),
                     weight, value});
      }
    });
  }

  void read_pair(Words rest) {
    const Words scope = read_scope(rest, "pair NAME LITERAL LITERAL");
    if (scope.size() != 2) lines_.refuse("expected 'pair NAME LITERAL LITERAL'");
    const Literal a = literal(scope[0]);
    const Literal b = literal(scope[1]);
    if (a.negated || b.negated) {
      lines_.refuse("expected two literals without '!': a pair is scored if both are on");
    }
    const auto type = features_.type(ScoreKind::kPair, rest[0], {});
    add_factor(1, type, [&] { return builder_.add_pair(a.state, b.state); });
    each_attribute(type, [&](Index weight, double value) { add_own_row({0, 1, weight, value}); });
  }

  // The parts of a head are the pairs a < b of its switches, 0 … K + 1 with both ends. Pairs with
  // the same a are consecutive; all but the last of these share a weight.
  void read_head(Words rest) {
    const Words scope = read_scope(rest, "head NAME SWITCH …");
    std::vector<std::uint32_t> states;
    for (const std::string_view name : scope) states.push_back(switch_of(name));
    const auto type = features_.type(ScoreKind::kHead, rest[0], {});
    const Index k = states.size();
    add_factor((k + 2) * (k + 1) / 2, type, [&] { return builder_.add_head(states); });
    each_attribute(type, [&](Index weight, double value) {
      for (Index a = 0; a <= k; ++a) {
        const auto part = static_cast<std::uint32_t>(head_part(k, a, a + 1));
        const auto size = static_cast<std::uint32_t>(k - a);
        const HeadPlace others = a == 0 ? HeadPlace::kFirst : HeadPlace::kNext;
        const HeadPlace end = a == 0 ? HeadPlace::kNone : HeadPlace::kLast;
        if (size > 0) {
          add_own_row({part, size, weight + static_cast<Index>(others), value, true});
        }
        add_own_row({part + size, 1, weight + static_cast<Index>(end), value});
      }
    });
    for (Index j = 0; j < k; ++j) head_.emplace(scope[j], j + 1);
    head_name_ = rest[0];
  }

  static Index head_part(Index switches, Index a, Index b) {
    FactorGraphLayout::Factor head;
    head.links_end = switches;
    return FactorGraphLayout::head_part(head, a, b);
  }

  void read_next(Words rest) {
    const Words scope = before_bar(rest);
    if (scope.size() != 2) lines_.refuse("expected 'next SWITCH SWITCH', or with '^' or '$'");
    if (head_.empty()) lines_.refuse("expected 'next' directly after the head that it refers to");
    const Index a = scope[0] == kBefore ? 0 : in_head(scope[0]);
    const Index b = scope[1] == kBehind ? head_.size() + 1 : in_head(scope[1]);
    if (a >= b) lines_.refuse("expected two switches in the order of the head, found", scope[1]);
    const auto type = features_.type(ScoreKind::kNext, head_name_, {});
    read_attributes(behind_bar(rest));
    each_attribute(type, [&](Index weight, double value) {
      add_own_row({static_cast<std::uint32_t>(head_part(head_.size(), a, b)), 1, weight, value});
    });
  }

  Index in_head(std::string_view name) const {
    const auto at = head_.find(std::string(name));
    if (at == head_.end()) lines_.refuse("expected a switch of the head, found", name);
    return at->second;
  }

  void read_one_of(Words rest) {
    add_hard([&](auto& literals) { return builder_.add_one_of(literals); }, rest);
  }
  void read_at_most_one(Words rest) {
    add_hard([&](auto& literals) { return builder_.add_at_most_one(literals); }, rest);
  }
  void read_or(Words rest) {
    add_hard([&](auto& literals) { return builder_.add_or(literals); }, rest);
  }
  void read_budget(Words rest) {
    const Index budget = number(rest, 0, "budget NUMBER LITERAL …");
    add_hard([&](auto& literals) { return builder_.add_budget(literals, budget); },
             rest.subspan(1));
  }

  void read_tree(Words rest) {
    constexpr const char* kForm = "tree WORDS one|any [projective] HEAD>WORD:SWITCH …";
    const Index words = number(rest, 0, kForm);
    if (rest.size() < 2 || (rest[1] != "one" && rest[1] != "any")) {
      lines_.refuse(fmt::format("expected '{}'", kForm));
    }
    const Roots roots = rest[1] == "one" ? Roots::kOne : Roots::kAny;
    const bool projective = rest.size() > 2 && rest[2] == "projective";
    std::vector<TreeArc> arcs;
    for (const std::string_view word : rest.subspan(projective ? 3 : 2)) {
      arcs.push_back(read_arc(word));
    }
    if (words == 0 || words > arcs.size()) {
      lines_.refuse("expected at least one arc to each word of a tree");
    }
    std::ranges::stable_sort(arcs, [](const TreeArc& a, const TreeArc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    });
    add_factor(0, FactorFeatures::kNone, [&] {
      return builder_.add_tree(words, arcs, roots,
                               projective ? Crossing::kForbidden : Crossing::kAllowed);
    });
  }

  TreeArc read_arc(std::string_view word) const {
    const auto arrow = word.find('>');
    const auto colon = word.find(':', arrow == std::string_view::npos ? 0 : arrow);
    if (arrow == std::string_view::npos || colon == std::string_view::npos) {
      lines_.refuse("expected an arc HEAD>WORD:SWITCH, found", word);
    }
    const auto head = parse_integer(word.substr(0, arrow));
    const auto modifier = parse_integer(word.substr(arrow + 1, colon - arrow - 1));
    constexpr long long kMost = kMostParts;
    if (!head || !modifier || *head < 0 || *modifier < 0 || *head > kMost || *modifier > kMost) {
      lines_.refuse("expected an arc HEAD>WORD:SWITCH with two numbers, found", word);
    }
    return {static_cast<std::uint32_t>(*head), static_cast<std::uint32_t>(*modifier),
            switch_of(word.substr(colon + 1))};
  }

  // The words before '|', and those after it.
  static Words before_bar(Words words) {
    return words.first(static_cast<Index>(std::ranges::find(words, "|") - words.begin()));
  }
  static Words behind_bar(Words words) {
    const Index before = before_bar(words).size();
    return words.subspan(std::min(before + 1, words.size()));
  }

  // Reads the attributes of a factor with a name and returns its members.
  Words read_scope(Words rest, const char* form) {
    const Words before = before_bar(rest);
    if (before.size() < 2) lines_.refuse(fmt::format("expected '{}'", form));
    read_attributes(behind_bar(rest));
    return before.subspan(1);
  }

  void read_attributes(Words words) {
    factors::read_attributes(lines_, words, kLargestValue, attributes_);
  }

  // Calls visit(first weight, value) for the bias and for each attribute that has weights.
  template <class Visit>
  void each_attribute(std::uint32_t type, const Visit& visit) {
    const auto tell = [&](std::string_view name, double value) {
      const std::uint32_t run = lines_.checked([&] { return features_.run(type, name); });
      if (run != FactorFeatures::kNone) visit(features_.begin(run), value);
    };
    tell(FactorFeatures::kBias, 1);
    for (const Attribute& attribute : attributes_) tell(attribute.name, attribute.value);
  }

  void count_parts(Index more) {
    num_parts_ += std::min(more, kMostParts + 1);
    if (num_parts_ > kMostParts) {
      lines_.refuse(
          fmt::format("the graph is too large: it has more than {} states and scores", kMostParts));
    }
  }

  void count_rows() const {
    if (graph_->rows.size() + own_rows_.size() < kMostRows) return;
    lines_.refuse(fmt::format("the graph has more than {} attributes of scores", kMostRows));
  }

  void add_row(const WeightRow& row) {
    count_rows();
    graph_->rows.push_back(row);
  }

  // Adds a row of the last factor.
  void add_own_row(const WeightRow& row) {
    count_rows();
    own_rows_.push_back({graph_->factors.size() - 1, row});
  }

  template <class Add>
  void add_factor(Index own_parts, std::uint32_t type, const Add& add) {
    count_parts(own_parts);
    lines_.checked(add);
    head_.clear();
    graph_->factors.push_back({type, lines_.number()});
  }

  template <class Add>
  void add_hard(const Add& add, Words words) {
    if (words.empty()) lines_.refuse("expected at least one literal: VARIABLE=VALUE, or a switch");
    std::vector<Literal> literals;
    for (const std::string_view word : words) literals.push_back(literal(word));
    add_factor(0, FactorFeatures::kNone, [&] { return add(literals); });
  }

  std::uint32_t variable(std::string_view name) const {
    const auto at = variables_.find(std::string(name));
    if (at == variables_.end()) lines_.refuse("expected a variable of the graph, found", name);
    return static_cast<std::uint32_t>(at->second);
  }

  std::uint32_t switch_of(std::string_view name) const {
    const std::uint32_t v = variable(name);
    if (!features_.domains()[graph_->variables[v].domain].is_switch) {
      lines_.refuse("expected a switch, found the variable", name);
    }
    return builder_.state(v);
  }

  Literal literal(std::string_view word) const {
    Literal literal;
    literal.negated = word.front() == '!';
    if (literal.negated) word.remove_prefix(1);
    const auto equals = word.find('=');
    const std::uint32_t v = variable(word.substr(0, equals));
    const Domain& domain = features_.domains()[graph_->variables[v].domain];
    if (equals == std::string_view::npos && !domain.is_switch) {
      lines_.refuse(fmt::format("expected VARIABLE=VALUE, since '{}' is not a switch, found", word),
                    word);
    }
    const std::uint32_t value =
        equals == std::string_view::npos ? 1 : read_gold(word.substr(equals), domain);
    if (domain.is_switch && value == 0) literal.negated = !literal.negated;
    literal.state = builder_.state(v, domain.is_switch ? 0 : value);
    return literal;
  }

  Index number(Words words, Index at, const char* form) const {
    const auto value = at < words.size() ? parse_integer(words[at]) : std::nullopt;
    if (!value || *value < 0) lines_.refuse(fmt::format("expected '{}'", form));
    return static_cast<Index>(*value);
  }

  void finish() {
    GraphRecord& graph = *graph_;
    try {
      graph.layout = builder_.build();
    } catch (const UsageError& error) {
      throw InputError(graph.file, graph.line, error.what());
    }
    for (OwnRow& own : own_rows_) {
      own.row.part += static_cast<std::uint32_t>(graph.layout.factor(own.factor).parts_begin);
      graph.rows.push_back(own.row);
    }
    graph.check_gold();
  }

  GraphLines lines_;
  FactorFeatures& features_;
  bool any_ = false;  // a graph was read

  GraphRecord* graph_ = nullptr;  // the current one
  FactorGraphBuilder builder_;
  std::unordered_map<std::string, Index> variables_;
  std::vector<OwnRow> own_rows_;
  std::vector<Attribute> attributes_;            // of the current line
  std::unordered_map<std::string, Index> head_;  // switches of the last head, numbered from 1
  std::string head_name_;
  Index num_parts_ = 0;
};

GraphReader::GraphReader(InputFile file, FactorFeatures& features)
    : parser_(std::make_unique<Parser>(std::move(file), features)) {}
GraphReader::~GraphReader() = default;
GraphReader::GraphReader(GraphReader&&) noexcept = default;

bool GraphReader::read(GraphRecord& graph) {
  return parser_->read(graph);
}

std::vector<GraphRecord> read_graphs(InputFile file, FactorFeatures& features, bool labelled) {
  std::vector<GraphRecord> graphs;
  GraphReader reader(std::move(file), features);
  for (GraphRecord graph; reader.read(graph);) {
    for (Index v = 0; labelled && v < graph.gold.size(); ++v) {
      if (graph.gold[v] != kNoValue) continue;
      throw InputError(graph.file, graph.variables[v].line,
                       "expected a true value, =VALUE, of the variable", graph.variables[v].name);
    }
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

std::vector<GraphRecord> read_graphs(const std::vector<std::string>& files,
                                     FactorFeatures& features, bool labelled) {
  std::vector<GraphRecord> all;
  for (const std::string& file : files) {
    std::vector<GraphRecord> graphs = read_graphs(InputFile(file), features, labelled);
    std::ranges::move(graphs, std::back_inserter(all));
  }
  return all;
}

}  // namespace trellis::factors
