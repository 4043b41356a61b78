#include "trellis/generative/network/bif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/generative/network/bif_scanner.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The content of a probability block.
struct BifTable {
  Index line = 0;  // 0: there was none
  std::vector<Index> parents;
  std::vector<double> cells;  // by row and value
};

class BifReader {
 public:
  explicit BifReader(InputFile file) : scanner_(std::move(file)) {}

  NetworkFile read() {
    while (!scanner_.at_end()) {
      if (scanner_.take("network")) {
        read_network_block();
      } else if (scanner_.take("variable")) {
        read_variable();
      } else if (scanner_.take("probability")) {
        read_probabilities();
      } else {
        scanner_.fail_expecting("network, variable or probability");
      }
    }
    return finish();
  }

 private:
  void skip_property() {
    while (!scanner_.at_end() && !scanner_.is(";")) scanner_.advance();
    scanner_.expect(";");
  }

  void read_network_block() {
    if (!scanner_.is("{")) scanner_.take_name("the network's name");
    scanner_.expect("{");
    while (!scanner_.take("}")) {
      if (!scanner_.take("property")) scanner_.fail_expecting("property or '}'");
      skip_property();
    }
  }

  void read_variable() {
    NetworkVariable variable;
    const Index line = scanner_.line();
    variable.name = scanner_.take_name("the variable's name");
    if (!numbers_.emplace(variable.name, variables_.size()).second) {
      throw InputError(scanner_.file(), line, "expected each variable once, found again",
                       variable.name);
    }
    scanner_.expect("{");
    while (!scanner_.take("}")) {
      if (scanner_.take("property")) {
        skip_property();
      } else if (scanner_.take("type")) {
        if (!variable.values.empty()) scanner_.fail("a variable must have only one type");
        read_type(variable);
      } else {
        scanner_.fail_expecting("type, property or '}'");
      }
    }
    if (variable.values.empty()) {
      throw InputError(scanner_.file(), line, "expected a type for the variable", variable.name);
    }
    variables_.push_back(std::move(variable));
    tables_.emplace_back();
  }

  void read_type(NetworkVariable& variable) {
    if (!scanner_.take("discrete")) scanner_.fail_expecting("discrete, the only type there is");
    scanner_.expect("[");
    const Index line = scanner_.line();
    const std::string count = scanner_.take_name("the number of values");
    scanner_.expect("]");
    scanner_.expect("{");
    while (!scanner_.take("}")) variable.values.push_back(scanner_.take_name("a value or '}'"));
    scanner_.take(";");
    if (parse_integer(count) != static_cast<long long>(variable.values.size())) {
      throw InputError(
          scanner_.file(), line,
          fmt::format("found {} values, but the type declares", variable.values.size()), count);
    }
    if (variable.values.empty()) scanner_.fail("a variable must have at least one value");
    std::vector<std::string> sorted = variable.values;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw InputError(scanner_.file(), line, "expected each value once, found twice", *twice);
    }
  }

  Index take_variable(std::string_view what) {
    if (!scanner_.at_end()) {
      const auto found = numbers_.find(scanner_.word());
      if (found != numbers_.end()) {
        scanner_.advance();
        return found->second;
      }
    }
    scanner_.fail_expecting(what);
  }

  void read_probabilities() {
    scanner_.expect("(");
    const Index line = scanner_.line();
    const Index child = take_variable("a variable that is declared above");
    BifTable& table = tables_[child];
    if (table.line != 0) {
      throw InputError(scanner_.file(), line, "there are two tables of", variables_[child].name);
    }
    table.line = line;
    scanner_.take("|");
    Index rows = 1;
    while (!scanner_.take(")")) {
      const Index parent = take_variable("a parent that is declared above, or ')'");
      table.parents.push_back(parent);
      const Index values = variables_[parent].values.size();
      rows = rows > NetworkGraph::kMaxParameters / values ? NetworkGraph::kMaxParameters
                                                          : rows * values;
    }
    const Index width = variables_[child].values.size();
    if (width >= NetworkGraph::kMaxParameters || rows > NetworkGraph::kMaxParameters / width ||
        num_cells_ + rows * width >= NetworkGraph::kMaxParameters) {
      throw InputError(
          scanner_.file(), line,
          fmt::format("more than {} probabilities with the table of", NetworkGraph::kMaxParameters),
          variables_[child].name);
    }
    num_cells_ += rows * width;
    table.cells.assign(rows * width, 0.0);
    read_rows(child, rows, table);
  }

  void read_rows(Index child, Index rows, BifTable& table) {
    const Index width = variables_[child].values.size();
    std::vector<Index> lines(rows, 0);  // where a row stands; 0: nowhere yet
    Index default_line = 0;
    std::vector<double> defaults(width);
    scanner_.expect("{");
    while (!scanner_.take("}")) {
      const Index line = scanner_.line();
      if (scanner_.take("property")) {
        skip_property();
      } else if (scanner_.take("default")) {
        if (default_line != 0) throw InputError(scanner_.file(), line, "a second default");
        default_line = line;
        read_numbers(defaults);
      } else if (scanner_.take("table")) {
        read_whole_table(width, table.cells);
        for (Index& row_line : lines) claim(row_line, line);
      } else if (scanner_.take("(")) {
        const Index row = read_row(table.parents);
        claim(lines[row], line);
        read_numbers(std::span(table.cells).subspan(row * width, width));
      } else {
        scanner_.fail_expecting("table, default, property, '(' or '}'");
      }
    }
    const std::string whose = fmt::format("'{}'", variables_[child].name);
    if (default_line != 0) {
      take_logarithms(scanner_.file(), default_line, whose + " by default", defaults);
    }
    for (Index row = 0; row < rows; ++row) {
      const auto cells = std::span(table.cells).subspan(row * width, width);
      const std::string given = whose + describe_row(table.parents, row);
      if (lines[row] != 0) {
        take_logarithms(scanner_.file(), lines[row], given, cells);
      } else if (default_line != 0) {
        std::copy(defaults.begin(), defaults.end(), cells.begin());
      } else {
        throw InputError(scanner_.file(), table.line, "there are no probabilities of " + given);
      }
    }
  }

  void claim(Index& row_line, Index line) const {
    if (row_line != 0) {
      throw InputError(scanner_.file(), line,
                       fmt::format("these probabilities are already given in line {}", row_line));
    }
    row_line = line;
  }

  // " given yes, no"
  std::string describe_row(const std::vector<Index>& parents, Index row) const {
    std::vector<std::string_view> given;  // from the last parent on
    for (Index k = parents.size(); k-- > 0;) {
      const std::vector<std::string>& values = variables_[parents[k]].values;
      given.push_back(values[row % values.size()]);
      row /= values.size();
    }
    if (given.empty()) return "";
    return fmt::format(" given {}", fmt::join(given.rbegin(), given.rend(), ", "));
  }

  // The values of the parents, up to the closing bracket.
  Index read_row(const std::vector<Index>& parents) {
    Index row = 0;
    for (const Index parent : parents) {
      const NetworkVariable& variable = variables_[parent];
      const auto found = std::find(variable.values.begin(), variable.values.end(), scanner_.word());
      if (scanner_.at_end() || found == variable.values.end()) {
        scanner_.fail_expecting(fmt::format("a value of '{}'", variable.name));
      }
      scanner_.advance();
      row = row * variable.values.size() +
            static_cast<Index>(std::distance(variable.values.begin(), found));
    }
    scanner_.expect(")");
    return row;
  }

  double read_number() {
    const auto number = parse_double(scanner_.word());
    if (scanner_.at_end() || !number) scanner_.fail_expecting("a probability");
    scanner_.advance();
    return *number;
  }
  void read_numbers(std::span<double> numbers) {
    for (double& number : numbers) number = read_number();
    scanner_.expect(";");
  }
  // The variable itself runs slowest.
  void read_whole_table(Index width, std::span<double> cells) {
    const Index rows = cells.size() / width;
    for (Index value = 0; value < width; ++value) {
      for (Index row = 0; row < rows; ++row) cells[row * width + value] = read_number();
    }
    scanner_.expect(";");
  }

  NetworkFile finish() {
    NetworkParents parents;
    std::vector<double> theta;
    for (Index v = 0; v < variables_.size(); ++v) {
      if (tables_[v].line == 0) {
        throw InputError(scanner_.file(), 0, "there are no probabilities of", variables_[v].name);
      }
      parents.push_back(std::move(tables_[v].parents));
      theta.insert(theta.end(), tables_[v].cells.begin(), tables_[v].cells.end());
      tables_[v].cells = {};
    }
    if (variables_.empty()) throw InputError(scanner_.file(), 0, "there is no variable in it");
    auto graph = at_line(scanner_.file(), 0, [&] {
      return std::make_shared<const NetworkGraph>(std::move(variables_), std::move(parents));
    });
    return {std::move(graph), std::move(theta)};
  }

  BifScanner scanner_;
  std::vector<NetworkVariable> variables_;
  std::unordered_map<std::string, Index> numbers_;
  std::vector<BifTable> tables_;  // by variable
  Index num_cells_ = 0;           // of all tables
};

std::string bif_name(const std::string& name) {
  bool plain = !name.starts_with("//") && !name.starts_with("/*");
  for (const char c : name) {
    if (c == '"' || static_cast<unsigned char>(c) < ' ') {
      throw UsageError(fmt::format("the interchange format cannot hold the name '{}'", name));
    }
    plain = plain && c != ' ' && c != ',' && !BifScanner::is_mark(c);
  }
  return plain ? name : '"' + name + '"';
}

void append_row(std::span<const double> theta, std::string& out) {
  const std::vector<double> p = file_probabilities(theta);
  for (Index k = 0; k < p.size(); ++k) {
    fmt::format_to(std::back_inserter(out), "{}{}", k == 0 ? " " : ", ", p[k]);
  }
  out += ";\n";
}

void append_table(const BayesNetwork& network, Index v, std::string& out) {
  const NetworkGraph& graph = network.graph();
  const Index width = graph.num_values(v);
  out += "probability ( " + bif_name(graph.variable(v).name);
  for (Index k = 0; k < graph.parents(v).size(); ++k) {
    out += (k == 0 ? " | " : ", ") + bif_name(graph.variable(graph.parents(v)[k]).name);
  }
  out += " ) {\n";
  for (Index row = 0; row < graph.num_rows(v); ++row) {
    const auto theta = network.theta().subspan(graph.first_parameter(v) + row * width, width);
    if (graph.parents(v).empty()) {
      out += "  table";
    } else {
      out += "  (";
      Index stride = graph.num_rows(v);
      for (Index k = 0; k < graph.parents(v).size(); ++k) {
        const Index parent = graph.parents(v)[k];
        stride /= graph.num_values(parent);
        const Index value = row / stride % graph.num_values(parent);
        out += (k == 0 ? "" : ", ") + bif_name(graph.variable(parent).values[value]);
      }
      out += ")";
    }
    append_row(theta, out);
  }
  out += "}\n";
}

}  // namespace

NetworkFile read_bif(InputFile file) {
  return BifReader(std::move(file)).read();
}

std::string to_bif(const BayesNetwork& network) {
  const NetworkGraph& graph = network.graph();
  std::string out = "network unknown {\n}\n";
  for (const NetworkVariable& variable : graph.variables()) {
    out += fmt::format("variable {} {{\n  type discrete [ {} ] {{", bif_name(variable.name),
                       variable.values.size());
    for (Index k = 0; k < variable.values.size(); ++k) {
      out += (k == 0 ? " " : ", ") + bif_name(variable.values[k]);
    }
    out += " };\n}\n";
  }
  for (Index v = 0; v < graph.num_variables(); ++v) append_table(network, v, out);
  return out;
}

}  // namespace trellis
