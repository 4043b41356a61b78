// Directed acyclic graphs in layers, with every edge pointing downward (Sugiyama, Tagawa & Toda
// 1981):
//
//   layers      minimal total length of edges, by the network simplex method; a layer with too many
//               nodes passes some to the next (graph_layers.h)
//   crossings   an edge over several layers has a bend in each layer between; layers are ordered by
//               barycentres, downward and upward, and by exchanges of neighbours
//   places      for these orders, min Σ w_e (x_u − x_v)² over the edges e, with a gap between
//               neighbours: layer by layer, each exactly, by pooling adjacent violators. Edges
//               between bends weigh more, so that long ones are straight (Gansner, Koutsofios,
//               North & Vo 1993)
//
// Connected components are placed next to each other, the largest first. The same graph gives the
// same picture. Time: O(sweeps · (bends + edges) log edges).
#pragma once

#include <vector>

#include "trellis/base/types.h"

namespace trellis::report {

struct GraphEdge {
  Index from = 0;
  Index to = 0;
};

struct LayeredGraph {
  std::vector<double> widths;  // of the boxes of nodes
  std::vector<GraphEdge> edges;
};

struct LayerOptions {
  double box_height = 28;
  double node_gap = 20;      // between boxes of a layer
  double bend_gap = 10;      // between a bend and its neighbours
  double least_rise = 46;    // from a layer's boxes to the next one's
  double most_rise = 120;    // for edges that go far to the side
  double port_gap = 9;       // between edges at one box, if it is wide enough
  double layer_width = 900;  // wider layers are split into several
};

struct GraphPoint {
  double x = 0;
  double y = 0;
};

struct GraphLayout {
  std::vector<Index> layers;      // by node, the highest is 0
  std::vector<GraphPoint> nodes;  // the middles of their boxes
  // By edge: from the lower side of a box to the upper side of another, with its bends in the
  // middle of the layers in between.
  std::vector<std::vector<GraphPoint>> routes;
  double width = 0;
  double height = 0;
  Index crossings = 0;
};

// Throws UsageError if the edges have a cycle or an unknown node.
GraphLayout lay_out(const LayeredGraph& graph, const LayerOptions& options = {});

}  // namespace trellis::report
