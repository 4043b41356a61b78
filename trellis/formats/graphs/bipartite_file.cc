#include "trellis/formats/graphs/bipartite_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::match {
namespace {

constexpr Index kMostNodes = Index{1} << 31;
constexpr Index kMostFeatures = (Index{1} << 32) - 1;
constexpr Index kLooseNodes = 1000;
constexpr Index kLooseNodesPerEdge = 16;

struct EdgeLine {
  BipartiteEdge edge;
  Index line;
  bool is_match;
  Index first;  // of its features, in the order of the file
  Index last;
};

}  // namespace

class GraphReader::Parser {
 public:
  Parser(InputFile file, GraphFeatures& features) : file_(std::move(file)), features_(features) {}

  bool read(GraphRecord& graph) {
    while (next_line()) {
      if (fields_.empty()) continue;
      graph = read_graph();
      any_ = true;
      return true;
    }
    if (!any_) {
      throw InputError(file_.name(), 0, "expected a graph ('graph NAME LEFT RIGHT'), found none");
    }
    return false;
  }

 private:
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const {
    throw InputError(file_.name(), file_.line_number(), message, token);
  }

  // The next line that is not a comment; fields_ is empty if the line is empty.
  bool next_line() {
    while (file_.read_line(line_)) {
      split_columns(line_, fields_);
      std::erase_if(fields_, [](std::string_view field) { return field.empty(); });
      if (fields_.empty() || fields_[0].front() != '#') return true;
    }
    return false;
  }

  Index number(std::string_view field, const char* what) const {
    const auto value = parse_integer(field);
    if (!value || *value < 0) refuse(fmt::format("expected {}, found", what), field);
    return static_cast<Index>(*value);
  }

  float value(std::string_view field) const {
    const auto number = parse_double(field);
    if (!number || !std::isfinite(static_cast<float>(*number))) {
      refuse("expected a feature, a finite number, found", field);
    }
    return static_cast<float>(*number);
  }

  GraphRecord read_graph() {
    if (fields_.size() != 4 || fields_[0] != "graph") {
      refuse("expected 'graph NAME LEFT RIGHT', found", line_);
    }
    GraphRecord graph;
    graph.name = std::string(fields_[1]);
    graph.file = file_.name();
    graph.line = file_.line_number();
    if (find_invalid_utf8(graph.name) != std::string_view::npos) {
      refuse("expected the name of a graph in UTF-8, found", graph.name);
    }
    graph.num_left = number(fields_[2], "the number of left nodes");
    graph.num_right = number(fields_[3], "the number of right nodes");
    if (graph.num_left == 0 || graph.num_right == 0) {
      refuse(fmt::format("the graph '{}' has no nodes on one side", graph.name));
    }
    if (std::max(graph.num_left, graph.num_right) >= kMostNodes) {
      refuse(fmt::format("expected fewer than {} nodes on a side", kMostNodes));
    }
    edges_.clear();
    ids_.clear();
    values_.clear();
    while (next_line() && !fields_.empty()) read_edge(graph);
    finish(graph);
    return graph;
  }

  void read_edge(const GraphRecord& graph) {
    if (fields_[0] == "graph") refuse("expected an empty line before the next graph");
    if (fields_.size() < 2) refuse("expected the two nodes of an edge, found", line_);
    const Index left = number(fields_[0], "a left node");
    const Index right = number(fields_[1], "a right node");
    if (left >= graph.num_left) {
      refuse(fmt::format("expected a left node, 0 to {}, found {}", graph.num_left - 1, left));
    }
    if (right >= graph.num_right) {
      refuse(fmt::format("expected a right node, 0 to {}, found {}", graph.num_right - 1, right));
    }
    const bool is_match = fields_.size() > 2 && fields_[2] == "*";
    const Index first = values_.size();
    read_features(is_match ? 3 : 2);
    if (values_.size() > kMostFeatures) refuse("the graph has too many features");
    edges_.push_back({{static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right)},
                      file_.line_number(),
                      is_match,
                      first,
                      values_.size()});
  }

  void read_features(Index from) {
    const Index count = fields_.size() - from;
    const bool named = count > 0 && fields_[from].find(':') != std::string_view::npos;
    // An edge without features does not show the form of the features.
    if (!features_.known && count > 0) {
      features_.known = true;
      features_.named = named;
      features_.width = named ? 0 : count;
    }
    if (!features_.known) refuse("expected features on the first edge of a file");
    if (features_.named) {
      for (Index f = from; f < fields_.size(); ++f) read_named(fields_[f]);
      sort_last();
      return;
    }
    if (named) refuse("expected features without names, as in earlier lines, found", fields_[from]);
    if (count != features_.width) {
      refuse(
          fmt::format("expected {} features, as on other edges, found {}", features_.width, count));
    }
    for (Index f = from; f < fields_.size(); ++f) values_.push_back(value(fields_[f]));
  }

  void read_named(std::string_view field) {
    const auto colon = field.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
      refuse("expected a feature as NAME:VALUE, found", field);
    }
    const std::string_view name = field.substr(0, colon);
    if (find_invalid_utf8(name) != std::string_view::npos) {
      refuse("expected the name of a feature in UTF-8, found", field);
    }
    const float x = value(field.substr(colon + 1));
    const std::uint32_t id =
        features_.frozen ? features_.names.find(name) : features_.names.add(name);
    if (id == NameList::kNone) return;
    ids_.push_back(id);
    values_.push_back(x);
  }

  // Sorts the features of the edge just read by their numbers.
  void sort_last() {
    const Index first = edges_.empty() ? 0 : edges_.back().last;
    std::vector<std::pair<std::uint32_t, float>> pairs;
    for (Index at = first; at < ids_.size(); ++at) pairs.emplace_back(ids_[at], values_[at]);
    std::sort(pairs.begin(), pairs.end());
    for (Index k = 0; k < pairs.size(); ++k) {
      if (k > 0 && pairs[k].first == pairs[k - 1].first) {
        refuse("expected each feature of an edge once, found twice:",
               features_.names[pairs[k].first]);
      }
      ids_[first + k] = pairs[k].first;
      values_[first + k] = pairs[k].second;
    }
  }

  void finish(GraphRecord& graph) {
    const Index nodes = graph.num_left + graph.num_right;
    if (nodes > kLooseNodes + kLooseNodesPerEdge * edges_.size()) {
      throw InputError(graph.file, graph.line,
                       fmt::format("the graph '{}' has {} nodes, but only {} edges", graph.name,
                                   nodes, edges_.size()));
    }
    std::stable_sort(edges_.begin(), edges_.end(), [](const EdgeLine& a, const EdgeLine& b) {
      return a.edge.left != b.edge.left ? a.edge.left < b.edge.left : a.edge.right < b.edge.right;
    });
    refuse_duplicates(graph);
    graph.begin.push_back(0);
    for (const EdgeLine& line : edges_) {
      graph.edges.push_back(line.edge);
      const auto append = [&](const auto& from, auto& to) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(line.first),
                  from.begin() + static_cast<std::ptrdiff_t>(line.last));
      };
      append(values_, graph.values);
      if (features_.named) append(ids_, graph.ids);
      graph.begin.push_back(static_cast<std::uint32_t>(graph.values.size()));
    }
    read_matches(graph);
  }

  void refuse_duplicates(const GraphRecord& graph) const {
    for (Index e = 1; e < edges_.size(); ++e) {
      const EdgeLine& a = edges_[e - 1];
      const EdgeLine& b = edges_[e];
      if (a.edge.left != b.edge.left || a.edge.right != b.edge.right) continue;
      throw InputError(graph.file, b.line,
                       fmt::format("the edge {} {} occurs twice: it is also in line {}",
                                   b.edge.left, b.edge.right, a.line));
    }
  }

  void read_matches(GraphRecord& graph) const {
    graph.gold.assign(graph.num_left, kNoLabel);
    std::vector<Index> taken(graph.num_right, 0);  // the line of each right node's true match
    for (const EdgeLine& line : edges_) {
      if (!line.is_match) continue;
      Label& mate = graph.gold[line.edge.left];
      if (mate != kNoLabel) {
        throw InputError(graph.file, line.line,
                         fmt::format("left node {} has two true matches, {} and {}", line.edge.left,
                                     mate, line.edge.right));
      }
      if (taken[line.edge.right] != 0) {
        throw InputError(graph.file, line.line,
                         fmt::format("right node {} has two true matches: the other is in line {}",
                                     line.edge.right, taken[line.edge.right]));
      }
      mate = static_cast<Label>(line.edge.right);
      taken[line.edge.right] = line.line;
      ++graph.num_matches;
    }
  }

  InputFile file_;
  GraphFeatures& features_;
  bool any_ = false;  // graph so far
  std::string_view line_;
  std::vector<std::string_view> fields_;
  // The edges of the current graph, in the order of the file.
  std::vector<EdgeLine> edges_;
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

GraphReader::GraphReader(InputFile file, GraphFeatures& features)
    : parser_(std::make_unique<Parser>(std::move(file), features)) {}

GraphReader::~GraphReader() = default;

bool GraphReader::read(GraphRecord& graph) {
  return parser_->read(graph);
}

std::string GraphFeatures::name(Index k) const {
  return named ? std::string(names[k]) : std::to_string(k + 1);
}

void read_graphs(InputFile file, GraphFeatures& features, std::vector<GraphRecord>& graphs) {
  GraphReader reader(std::move(file), features);
  std::set<std::string> names;
  GraphRecord graph;
  while (reader.read(graph)) {
    if (!names.insert(graph.name).second) {
      throw InputError(graph.file, graph.line,
                       "expected each graph name once in a file, found again", graph.name);
    }
    graphs.push_back(std::move(graph));
  }
}

}  // namespace trellis::match
