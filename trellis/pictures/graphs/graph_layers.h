// Which layer each node of a layered picture belongs to (layered_graph.h): below all its parents,
// with edges that are short in sum, and no layer of more boxes than options.layer_width has room
// for.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/graphs/layered_graph.h"

namespace trellis::report {

// By node, the highest layer is 0. Throws UsageError where the edges have a cycle.
std::vector<Index> graph_layers(const LayeredGraph& graph, const LayerOptions& options);

}  // namespace trellis::report
