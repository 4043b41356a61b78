// A graph whose nodes are to be told apart, figure (1) from ground (0): the pixels of a picture, or
// the nodes of a graph file. Node features are rank codes (pictures) or numbers (graphs); edge
// features are numbers ≥ 0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/tasks/image/raster.h"
#include "trellis/tasks/segment/feature_tables.h"

namespace trellis::segment {

// What is not known of a node, in a graph to be predicted.
inline constexpr std::uint8_t kUnknownLabel = 2;

struct SegmentExample {
  std::string name;
  Index num_nodes = 0;
  Index width = 0;  // of the grid, as large as the model sees it; 0 for a graph
  Index height = 0;
  CodedPixels pixels;                // pictures
  std::vector<float> node_features;  // graphs: node after node
  std::vector<NodePair> edges;
  std::vector<float> edge_features;  // edge after edge
  std::vector<std::uint8_t> labels;  // the truth; empty or kUnknownLabel where there is none
};

}  // namespace trellis::segment
