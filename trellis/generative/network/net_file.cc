#include "trellis/generative/network/net_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis {
namespace {

class NetReader {
 public:
  explicit NetReader(InputFile file) : file_(std::move(file)) {}

  NetworkFile read() {
    for (std::string_view line; file_.read_line(line);) {
      split_line(line);
      if (words_.empty()) continue;
      if (words_.size() > 1 && words_[1] == "<-") {
        read_parents();
      } else if (words_[0] == "variable") {
        read_variable();
      } else if (words_[0] == "p") {
        read_row();
      } else {
        fail("expected variable, p, or a variable followed by <-, found", words_[0]);
      }
    }
    if (variables_.empty()) throw InputError(file_.name(), 0, "there is no variable in it");
    make_graph();
    require_rows();
    if (num_rows_ == 0) return {std::move(graph_), std::nullopt};
    return {std::move(graph_), std::move(theta_)};
  }

 private:
  [[noreturn]] void fail(std::string_view message, std::string_view token = {}) const {
    throw InputError(file_.name(), file_.line_number(), message, token);
  }

  void split_line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    words_.clear();
    while (!(line = trim(line)).empty()) {
      const Index length = std::min(line.find_first_of(" \t\r\f\v"), line.size());
      words_.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
  }

  Index find_variable(std::string_view name) const {
    const auto found = numbers_.find(std::string(name));
    if (found == numbers_.end()) fail("expected a variable that is declared above, found", name);
    return found->second;
  }

  void read_variable() {
    if (graph_) fail("variables must be declared before probabilities");
    if (words_.size() < 3) fail("expected variable NAME VALUE VALUE…");
    if (!numbers_.emplace(words_[1], variables_.size()).second) {
      fail("expected each variable once, found again", words_[1]);
    }
    variables_.push_back({std::string(words_[1]), {words_.begin() + 2, words_.end()}});
    std::vector<std::string_view> sorted(words_.begin() + 2, words_.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) fail("expected each value once, found twice", *twice);
    parents_.emplace_back();
    has_parents_.push_back(false);
  }

  void read_parents() {
    if (graph_) fail("the parents of a variable must come before its probabilities");
    const Index child = find_variable(words_[0]);
    if (has_parents_[child]) fail("expected one list of parents, found a second one of", words_[0]);
    has_parents_[child] = true;
    for (Index k = 2; k < words_.size(); ++k) {
      const Index parent = find_variable(words_[k]);
      if (std::find(parents_[child].begin(), parents_[child].end(), parent) !=
          parents_[child].end()) {
        fail("expected each parent once, found twice", words_[k]);
      }
      parents_[child].push_back(parent);
    }
  }

  // When the first probabilities come, or at the end of the file.
  void make_graph() {
    if (graph_) return;
    graph_ = at_line(file_.name(), file_.line_number(), [&] {
      return std::make_shared<const NetworkGraph>(std::move(variables_), std::move(parents_));
    });
    variables_ = graph_->variables();
    theta_.assign(graph_->distributions().dimension(), 0.0);
    row_lines_.assign(graph_->distributions().num(), 0);
  }

  // p NAME | VALUE VALUE : NUMBER NUMBER
  void read_row() {
    make_graph();
    const auto colon = std::find(words_.begin(), words_.end(), ":");
    if (words_.size() < 2 || colon == words_.end()) fail("expected p NAME | VALUES : NUMBERS");
    const Index child = find_variable(words_[1]);
    std::vector<std::string_view> given(words_.begin() + 2, colon);
    if (!given.empty() && given[0] != "|") fail("expected | or :, found", given[0]);
    if (!given.empty()) given.erase(given.begin());
    const std::vector<Index>& parents = graph_->parents(child);
    if (given.size() != parents.size()) {
      fail(fmt::format("expected {} values of parents, found {}", parents.size(), given.size()));
    }
    Index row = 0;
    for (Index k = 0; k < parents.size(); ++k) {
      const auto value = graph_->find_value(parents[k], given[k]);
      if (!value) {
        fail(fmt::format("expected a value of '{}', found", graph_->variable(parents[k]).name),
             given[k]);
      }
      row = row * graph_->num_values(parents[k]) + static_cast<Index>(*value);
    }
    Index& line = row_lines_[graph_->first_distribution(child) + row];
    if (line != 0) fail(fmt::format("these probabilities are already given in line {}", line));
    line = file_.line_number();
    ++num_rows_;
    take_numbers(child, row, {colon + 1, words_.end()});
  }

  void take_numbers(Index child, Index row, const std::vector<std::string_view>& numbers) {
    const Index width = graph_->num_values(child);
    if (numbers.size() != width) {
      fail(fmt::format("expected {} probabilities, found {}", width, numbers.size()));
    }
    const auto cells =
        std::span(theta_).subspan(graph_->first_parameter(child) + row * width, width);
    for (Index k = 0; k < width; ++k) {
      const auto number = parse_double(numbers[k]);
      if (!number) fail("expected a probability, found", numbers[k]);
      cells[k] = *number;
    }
    take_logarithms(file_.name(), file_.line_number(),
                    fmt::format("'{}'", graph_->variable(child).name), cells);
  }

  void require_rows() const {
    if (num_rows_ == 0) return;
    for (Index v = 0; v < graph_->num_variables(); ++v) {
      for (Index row = 0; row < graph_->num_rows(v); ++row) {
        if (row_lines_[graph_->first_distribution(v) + row] != 0) continue;
        throw InputError(
            file_.name(), 0,
            fmt::format("row {} of {} has no probabilities of", row + 1, graph_->num_rows(v)),
            graph_->variable(v).name);
      }
    }
  }

  InputFile file_;
  std::vector<std::string_view> words_;  // of the line
  std::unordered_map<std::string, Index> numbers_;
  std::vector<NetworkVariable> variables_;
  NetworkParents parents_;
  std::vector<bool> has_parents_;
  std::shared_ptr<const NetworkGraph> graph_;
  std::vector<double> theta_;
  std::vector<Index> row_lines_;  // by distribution; 0: not there yet
  Index num_rows_ = 0;
};

const std::string& net_word(const std::string& name) {
  const bool is_mark = name == "|" || name == ":" || name == "<-";
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '#';
  });
  if (is_mark || !is_plain) {
    throw UsageError(fmt::format("a plain file of a network cannot hold the name '{}'", name));
  }
  return name;
}

void append_rows(const BayesNetwork& network, Index v, std::string& out) {
  const NetworkGraph& graph = network.graph();
  const Index width = graph.num_values(v);
  for (Index row = 0; row < graph.num_rows(v); ++row) {
    out += "p " + net_word(graph.variable(v).name);
    if (!graph.parents(v).empty()) out += " |";
    Index stride = graph.num_rows(v);
    for (const Index parent : graph.parents(v)) {
      stride /= graph.num_values(parent);
      out += ' ' + net_word(graph.variable(parent).values[row / stride % graph.num_values(parent)]);
    }
    out += " :";
    const auto theta = network.theta().subspan(graph.first_parameter(v) + row * width, width);
    for (const double p : file_probabilities(theta)) {
      fmt::format_to(std::back_inserter(out), " {}", p);
    }
    out += '\n';
  }
}

}  // namespace

std::string to_net(const BayesNetwork& network) {
  const NetworkGraph& graph = network.graph();
  std::string out;
  for (const NetworkVariable& variable : graph.variables()) {
    out += "variable " + net_word(variable.name);
    for (const std::string& value : variable.values) out += ' ' + net_word(value);
    out += '\n';
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    if (graph.parents(v).empty()) continue;
    out += net_word(graph.variable(v).name) + " <-";
    for (const Index parent : graph.parents(v)) out += ' ' + graph.variable(parent).name;
    out += '\n';
  }
  for (Index v = 0; v < graph.num_variables(); ++v) append_rows(network, v, out);
  return out;
}

NetworkFile read_net(InputFile file) {
  return NetReader(std::move(file)).read();
}

}  // namespace trellis
