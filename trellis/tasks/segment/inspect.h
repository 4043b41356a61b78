// What a model has learned: the weights for the figure, and the costs of boundaries.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/segment/segment_model.h"

namespace trellis::segment {

// The largest weights of nodes by absolute value, then all weights of edges.
std::vector<Index> strongest_node_weights(const SegmentModel& model, Index top);
std::vector<Index> edge_weights(const SegmentModel& model);

std::string inspect_text(const SegmentModel& model, const std::string& name, Index top);
Value inspect_record(const SegmentModel& model, Index top);

}  // namespace trellis::segment
