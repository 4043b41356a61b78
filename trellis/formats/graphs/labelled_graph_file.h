// Undirected graphs with feature vectors on nodes and edges and a label 0 or 1 on each node, as
// text: point clouds, surfaces of 3-D scans, superpixels. The format is Trellis' own and is
// described here.
//
//   # a comment; empty lines are skipped as well
//   graph puppet1 3 2        the name, how many nodes, how many edges
//   1 0.5 2 0                for each node: its label (1 figure, 0 ground, ? unknown), its features
//   0 1.25 0 0
//   ? 1 1 0
//   0 1 0.8                  for each edge: two nodes, from 0, and its features, each ≥ 0
//   1 2 0.1
//
// All nodes have the same number of features (≥ 1), and so have all edges (≥ 0; each edge gets a
// constant feature 1 in addition). One file may have many graphs. Gzip and zstd are read, too.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"

namespace trellis::segment {

// The label of a node in a graph to be predicted, if the truth is unknown.
inline constexpr std::uint8_t kUnknownLabel = 2;

struct LabelledGraph {
  std::string name;
  Index num_nodes = 0;
  std::vector<float> node_features;  // node after node
  std::vector<NodePair> edges;
  std::vector<float> edge_features;  // edge after edge: the constant 1, then those of the file
  std::vector<std::uint8_t> labels;  // the truth; empty or kUnknownLabel if unknown
};

struct GraphReadOptions {
  bool labelled = true;  // every label must be known
  bool allow_disconnected = false;
};

struct GraphSet {
  Index node_width = 0;  // features of a node in the file
  Index edge_width = 0;  // of an edge
  std::vector<LabelledGraph> graphs;
};

// Reads graphs one after the other, from one file after the other.
//
// Throws InputError, with the line, for: numbers that are not finite, negative edge features,
// duplicate edges, self loops, nodes that do not exist, graphs without nodes, disconnected graphs,
// and numbers of features that differ from those before.
class GraphReader {
 public:
  explicit GraphReader(const GraphReadOptions& options) : options_(options) {}

  void open(InputFile file);
  // False at the end of the file; a file without a graph is an error. Call open() first.
  bool read(LabelledGraph& graph);

  const std::string& file() const { return file_->name(); }
  Index node_width() const { return node_width_.value_or(0); }
  Index edge_width() const { return edge_width_.value_or(0); }

 private:
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;
  bool next_line();
  void need_line(const char* what, Index done, Index total);
  Index number(std::string_view field, const char* what) const;
  float feature(std::string_view field) const;
  void check_width(std::optional<Index>& width, Index found, const char* what) const;
  LabelledGraph read_graph();
  void read_node(LabelledGraph& graph, Index j);
  void read_edge(LabelledGraph& graph, Index e, Index num_edges);
  void refuse_duplicates(const LabelledGraph& graph);

  GraphReadOptions options_;
  std::optional<InputFile> file_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
  std::set<std::string> names_;  // of this file's graphs
  std::vector<Index> edge_lines_;
  std::optional<Index> node_width_;
  std::optional<Index> edge_width_;
};

GraphSet read_graphs(InputFile file, const GraphReadOptions& options);
// The graphs of all files, in order.
GraphSet read_graph_files(std::span<const std::string> files, const GraphReadOptions& options);

}  // namespace trellis::segment
