// An example of `trellis segment`: the pixels of a picture, or a graph of a file
// (labelled_graph_file.h). Each node is figure (1) or ground (0).
#pragma once

#include "trellis/base/types.h"
#include "trellis/formats/graphs/labelled_graph_file.h"
#include "trellis/tasks/segment/feature_tables.h"

namespace trellis::segment {

// Node features are rank codes for pictures, and numbers for graphs.
struct SegmentExample : LabelledGraph {
  Index width = 0;  // of the grid, in the size that the model uses; 0 for a graph
  Index height = 0;
  CodedPixels pixels;  // pictures
};

}  // namespace trellis::segment
