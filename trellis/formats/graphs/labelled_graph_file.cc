#include "trellis/formats/graphs/labelled_graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::segment {
namespace {

constexpr Index kMaxNodes = Index{1} << 31;

void add_graphs(GraphReader& reader, InputFile file, GraphSet& set) {
  reader.open(std::move(file));
  for (LabelledGraph graph; reader.read(graph);) set.graphs.push_back(std::move(graph));
  set.node_width = reader.node_width();
  set.edge_width = reader.edge_width();
}

// The root of a node's tree; halves the path on the way (Tarjan & van Leeuwen 1984).
Index find_root(std::vector<Index>& parent, Index node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

// Throws InputError(file, line, …) unless every node can be reached from every other.
void require_connected(Index num_nodes, std::span<const NodePair> edges, const std::string& file,
                       Index line, const std::string& name) {
  std::vector<Index> parent(num_nodes);
  std::iota(parent.begin(), parent.end(), Index{0});
  Index components = num_nodes;
  for (const NodePair& edge : edges) {
    const Index j = find_root(parent, edge.j);
    const Index k = find_root(parent, edge.k);
    if (j == k) continue;
    parent[j] = k;
    --components;
  }
  if (components <= 1) return;
  throw InputError(file, line,
                   fmt::format("expected a connected graph, but '{}' has {} components (use "
                               "--allow-disconnected to accept it)",
                               name, components));
}

}  // namespace

void GraphReader::open(InputFile file) {
  file_ = std::move(file);
  names_.clear();
}

bool GraphReader::read(LabelledGraph& graph) {
  if (!next_line()) {
    if (names_.empty()) throw InputError(file_->name(), 0, "expected graphs, found none");
    return false;
  }
  graph = read_graph();
  return true;
}

void GraphReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_->name(), file_->line_number(), message, token);
}

// Whatever is neither empty nor a comment.
bool GraphReader::next_line() {
  while (file_->read_line(line_)) {
    split_columns(line_, fields_);
    std::erase_if(fields_, [](std::string_view field) { return field.empty(); });
    if (!fields_.empty() && fields_[0].front() != '#') return true;
  }
  return false;
}

void GraphReader::need_line(const char* what, Index done, Index total) {
  if (!next_line()) {
    throw InputError(file_->name(), file_->line_number(),
                     fmt::format("the file ends after {} of {} {}", done, total, what));
  }
}

Index GraphReader::number(std::string_view field, const char* what) const {
  const auto value = parse_integer(field);
  if (!value || *value < 0) refuse(fmt::format("expected {}, found", what), field);
  return static_cast<Index>(*value);
}

float GraphReader::feature(std::string_view field) const {
  const auto value = parse_double(field);
  if (!value || !std::isfinite(static_cast<float>(*value))) {
    refuse("expected a feature, a finite number, found", field);
  }
  return static_cast<float>(*value);
}

void GraphReader::check_width(std::optional<Index>& width, Index found, const char* what) const {
  if (!width) width = found;
  if (*width == found) return;
  refuse(fmt::format("expected {} features of {}, as in earlier lines, found {}", *width, what,
                     found));
}

LabelledGraph GraphReader::read_graph() {
  if (fields_.size() != 4 || fields_[0] != "graph") {
    refuse("expected 'graph NAME NODES EDGES', found", line_);
  }
  LabelledGraph graph;
  graph.name = std::string(fields_[1]);
  if (!names_.insert(graph.name).second)
    refuse("expected each graph name once in a file, found again", graph.name);
  graph.num_nodes = number(fields_[2], "the number of nodes");
  const Index num_edges = number(fields_[3], "the number of edges");
  if (graph.num_nodes == 0) refuse(fmt::format("the graph '{}' has no nodes", graph.name));
  if (graph.num_nodes > kMaxNodes) refuse("expected at most 2147483648 nodes, found", fields_[2]);
  const Index line = file_->line_number();
  for (Index j = 0; j < graph.num_nodes; ++j) read_node(graph, j);
  for (Index e = 0; e < num_edges; ++e) read_edge(graph, e, num_edges);
  refuse_duplicates(graph);
  if (!options_.allow_disconnected) {
    require_connected(graph.num_nodes, graph.edges, file_->name(), line, graph.name);
  }
  return graph;
}

void GraphReader::read_node(LabelledGraph& graph, Index j) {
  need_line("nodes", j, graph.num_nodes);
  const std::string_view label = fields_[0];
  if (label != "0" && label != "1" && label != "?") {
    refuse("expected the label of a node, 0, 1 or ?, found", label);
  }
  if (label == "?" && options_.labelled) {
    refuse("expected a known label, 0 or 1, found", label);
  }
  graph.labels.push_back(label == "?" ? kUnknownLabel : label == "1" ? 1 : 0);
  if (fields_.size() < 2) refuse("expected at least one feature after the label of a node");
  check_width(node_width_, fields_.size() - 1, "a node");
  for (Index k = 1; k < fields_.size(); ++k) {
    graph.node_features.push_back(feature(fields_[k]));
  }
}

void GraphReader::read_edge(LabelledGraph& graph, Index e, Index num_edges) {
  need_line("edges", e, num_edges);
  if (fields_.size() < 2) refuse("expected the two nodes of an edge, found", line_);
  const Index j = number(fields_[0], "a node");
  const Index k = number(fields_[1], "a node");
  if (std::max(j, k) >= graph.num_nodes) {
    refuse(fmt::format("expected nodes 0 to {}, found {}", graph.num_nodes - 1, std::max(j, k)));
  }
  if (j == k) refuse(fmt::format("an edge leads from node {} to itself", j));
  check_width(edge_width_, fields_.size() - 2, "an edge");
  graph.edges.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(k)});
  edge_lines_.push_back(file_->line_number());
  graph.edge_features.push_back(1);
  for (Index c = 2; c < fields_.size(); ++c) {
    const float value = feature(fields_[c]);
    if (value < 0) {
      refuse("expected edge features of at least 0 (required by submodularity), found", fields_[c]);
    }
    graph.edge_features.push_back(value);
  }
}

void GraphReader::refuse_duplicates(const LabelledGraph& graph) {
  std::vector<std::pair<std::pair<Index, Index>, Index>> ends;
  for (Index e = 0; e < graph.edges.size(); ++e) {
    const NodePair& edge = graph.edges[e];
    ends.push_back({{std::min(edge.j, edge.k), std::max(edge.j, edge.k)}, edge_lines_[e]});
  }
  edge_lines_.clear();
  std::sort(ends.begin(), ends.end());
  for (Index e = 1; e < ends.size(); ++e) {
    if (ends[e].first != ends[e - 1].first) continue;
    throw InputError(
        file_->name(), ends[e].second,
        fmt::format("the edge between nodes {} and {} occurs twice: it is also in line {}",
                    ends[e].first.first, ends[e].first.second, ends[e - 1].second));
  }
}

GraphSet read_graphs(InputFile file, const GraphReadOptions& options) {
  GraphReader reader(options);
  GraphSet set;
  add_graphs(reader, std::move(file), set);
  return set;
}

GraphSet read_graph_files(std::span<const std::string> files, const GraphReadOptions& options) {
  GraphReader reader(options);
  GraphSet set;
  for (const std::string& file : files) add_graphs(reader, InputFile(file), set);
  return set;
}

}  // namespace trellis::segment
