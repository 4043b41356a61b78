// What a model has learned: what speaks for figure, and what a boundary costs.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/segment/segment_model.h"

namespace trellis::segment {

// The strongest weights of the nodes, by size; then all weights of the edges.
std::vector<Index> strongest_node_weights(const SegmentModel& model, Index top);
std::vector<Index> edge_weights(const SegmentModel& model);

std::string inspect_text(const SegmentModel& model, const std::string& name, Index top);
Value inspect_record(const SegmentModel& model, Index top);

}  // namespace trellis::segment
