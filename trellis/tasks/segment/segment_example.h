// What `trellis segment` learns from and predicts: the pixels of a picture, or a graph of a file
// (labelled_graph_file.h). Nodes are told apart, figure (1) from ground (0).
#pragma once

#include "trellis/base/types.h"
#include "trellis/formats/graphs/labelled_graph_file.h"
#include "trellis/tasks/segment/feature_tables.h"

namespace trellis::segment {

// Of a picture, the node features are rank codes; of a graph, numbers.
struct SegmentExample : LabelledGraph {
  Index width = 0;  // of the grid, as large as the model sees it; 0 for a graph
  Index height = 0;
  CodedPixels pixels;  // pictures
};

}  // namespace trellis::segment
