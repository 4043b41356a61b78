// Graphs as text, for whatever is no picture: point clouds and surfaces of 3-D scans, superpixels.
//
//   # a comment; empty lines are skipped as well
//   graph puppet1 3 2        the name, how many nodes, how many edges
//   1 0.5 2 0                for each node: its label (1 figure, 0 ground, ? unknown), its features
//   0 1.25 0 0
//   ? 1 1 0
//   0 1 0.8                  for each edge: two nodes, from 0, and its features, each ≥ 0
//   1 2 0.1
//
// All nodes have equally many features (at least one), and all edges (none will do: each edge
// counts as 1 besides). One file may hold many graphs. Gzip and zstd are read as they are.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/segment/segment_example.h"

namespace trellis::segment {

struct GraphReadOptions {
  bool labelled = true;  // every label must be known
  bool allow_disconnected = false;
};

struct GraphSet {
  Index node_width = 0;  // features of a node in the file
  Index edge_width = 0;  // of an edge
  std::vector<SegmentExample> graphs;
};

// Throws InputError, with the line: numbers that are not finite, negative edge features, duplicate
// edges, self loops, nodes that do not exist, graphs without nodes, graphs that fall apart.
GraphSet read_graphs(InputFile file, const GraphReadOptions& options);

}  // namespace trellis::segment
