#include "trellis/pictures/graphs/layered_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::report::layered_graph_test {
namespace {

constexpr LayerOptions kOptions;

LayeredGraph graph_of(Index nodes, std::vector<GraphEdge> edges) {
  LayeredGraph graph;
  for (Index v = 0; v < nodes; ++v) {
    graph.widths.push_back(40 + 10 * static_cast<double>(v * 7 % 5));
  }
  graph.edges = std::move(edges);
  return graph;
}

LayeredGraph random_graph(Index nodes, double degree, std::uint64_t seed) {
  Random random(seed, 0);
  std::vector<GraphEdge> edges;
  for (Index v = 1; v < nodes; ++v) {
    for (Index u = 0; u < v; ++u) {
      if (random.uniform() * static_cast<double>(v) < degree) edges.push_back({u, v});
    }
  }
  return graph_of(nodes, std::move(edges));
}

// A box that an edge passes or reaches.
struct Box {
  double left, right, top, bottom;
};
Box box_of(const LayeredGraph& graph, const GraphLayout& layout, Index v) {
  const auto [x, y] = layout.nodes[v];
  return {x - graph.widths[v] / 2, x + graph.widths[v] / 2, y - kOptions.box_height / 2,
          y + kOptions.box_height / 2};
}

void expect_boxes_apart(const LayeredGraph& graph, const GraphLayout& layout) {
  for (Index a = 0; a < graph.widths.size(); ++a) {
    const Box one = box_of(graph, layout, a);
    EXPECT_GE(one.left, -1e-6);
    EXPECT_LE(one.right, layout.width + 1e-6);
    EXPECT_GE(one.top, -1e-6);
    EXPECT_LE(one.bottom, layout.height + 1e-6);
    for (Index b = 0; b < a; ++b) {
      const Box other = box_of(graph, layout, b);
      const bool beside = one.left >= other.right + kOptions.node_gap - 1e-6 ||
                          other.left >= one.right + kOptions.node_gap - 1e-6;
      const bool above = one.top >= other.bottom || other.top >= one.bottom;
      EXPECT_TRUE(beside || above) << a << " upon " << b;
    }
  }
}

// Downward, from box to box, and with bends that no box covers.
void expect_edges_downward(const LayeredGraph& graph, const GraphLayout& layout) {
  for (Index e = 0; e < graph.edges.size(); ++e) {
    const std::vector<GraphPoint>& route = layout.routes[e];
    const Box from = box_of(graph, layout, graph.edges[e].from);
    const Box to = box_of(graph, layout, graph.edges[e].to);
    EXPECT_LT(layout.layers[graph.edges[e].from], layout.layers[graph.edges[e].to]);
    EXPECT_NEAR(route.front().y, from.bottom, 1e-6);
    EXPECT_NEAR(route.back().y, to.top, 1e-6);
    EXPECT_TRUE(from.left < route.front().x && route.front().x < from.right);
    EXPECT_TRUE(to.left < route.back().x && route.back().x < to.right);
    for (Index k = 1; k < route.size(); ++k) EXPECT_GT(route[k].y, route[k - 1].y);
    for (Index k = 1; k + 1 < route.size(); ++k) {
      for (Index v = 0; v < graph.widths.size(); ++v) {
        const Box box = box_of(graph, layout, v);
        if (route[k].y < box.top || route[k].y > box.bottom) continue;
        EXPECT_TRUE(route[k].x < box.left || route[k].x > box.right);
      }
    }
  }
}

TEST(LayeredGraph, RandomGraphsAreDrawnAsPromised) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Index nodes = 5 + 7 * static_cast<Index>(seed);
    const LayeredGraph graph =
        random_graph(nodes, 0.6 + 0.15 * static_cast<double>(seed % 7), seed);
    const GraphLayout layout = lay_out(graph);
    expect_boxes_apart(graph, layout);
    expect_edges_downward(graph, layout);
  }
}

TEST(LayeredGraph, TreesHaveNoCrossings) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed, 1);
    std::vector<GraphEdge> edges;
    for (Index v = 1; v < 40; ++v) {
      edges.push_back({static_cast<Index>(random.uniform() * static_cast<double>(v)), v});
    }
    const LayeredGraph graph = graph_of(40, std::move(edges));
    LayerOptions options;
    options.layer_width = 1e9;
    EXPECT_EQ(lay_out(graph, options).crossings, 0) << seed;
  }
}

TEST(LayeredGraph, WhatIsPlanarInLayersIsDrawnSo) {
  // A ladder, a diamond with a chord, and the network "asia".
  EXPECT_EQ(lay_out(graph_of(6, {{0, 2}, {1, 3}, {2, 4}, {3, 5}, {0, 3}, {2, 5}})).crossings, 0);
  EXPECT_EQ(lay_out(graph_of(4, {{0, 2}, {0, 1}, {1, 3}, {2, 3}, {0, 3}})).crossings, 0);
  const LayeredGraph asia =
      graph_of(8, {{0, 1}, {2, 3}, {2, 4}, {1, 5}, {3, 5}, {5, 6}, {5, 7}, {4, 7}});
  EXPECT_EQ(lay_out(asia).crossings, 0);
}

TEST(LayeredGraph, ACompleteBipartiteGraphHasTheCrossingsThatItMust) {
  // (3 over 2) (3 over 2) whatever the orders.
  EXPECT_EQ(
      lay_out(graph_of(6, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}}))
          .crossings,
      9);
}

TEST(LayeredGraph, AParentStandsAboveTheMiddleOfItsChildren) {
  const GraphLayout layout = lay_out(graph_of(4, {{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_NEAR(layout.nodes[0].x, (layout.nodes[1].x + layout.nodes[2].x + layout.nodes[3].x) / 3,
              0.5);
}

TEST(LayeredGraph, ANodeStandsNearItsChildren) {
  // 4 has no parent, and its child is three layers down: it stands right above it.
  const GraphLayout layout = lay_out(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3}}));
  EXPECT_EQ(layout.layers[4], 2);
}

TEST(LayeredGraph, WideLayersAreSplit) {
  std::vector<GraphEdge> edges;
  for (Index v = 1; v <= 60; ++v) edges.push_back({0, v});
  const LayeredGraph graph = graph_of(61, std::move(edges));
  const GraphLayout layout = lay_out(graph);
  EXPECT_GE(*std::max_element(layout.layers.begin(), layout.layers.end()), 4);
  EXPECT_LT(layout.width, 2 * kOptions.layer_width);
  EXPECT_EQ(layout.crossings, 0);
  expect_boxes_apart(graph, layout);
  expect_edges_downward(graph, layout);
}

TEST(LayeredGraph, PartsStandBesideEachOtherInRows) {
  const LayeredGraph graph = graph_of(100, {{0, 1}, {5, 4}, {4, 3}});
  const GraphLayout layout = lay_out(graph);
  expect_boxes_apart(graph, layout);
  EXPECT_LE(layout.width, kOptions.layer_width);
  EXPECT_GT(layout.nodes[99].y, layout.nodes[5].y);  // the largest part comes first
}

TEST(LayeredGraph, TheSameGraphGivesTheSamePicture) {
  const LayeredGraph graph = random_graph(50, 1.5, 3);
  const GraphLayout a = lay_out(graph), b = lay_out(graph);
  for (Index v = 0; v < 50; ++v) {
    EXPECT_EQ(a.nodes[v].x, b.nodes[v].x);
    EXPECT_EQ(a.nodes[v].y, b.nodes[v].y);
  }
}

TEST(LayeredGraph, NothingIsDrawnOfNothing) {
  const GraphLayout layout = lay_out({});
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

TEST(LayeredGraph, CyclesAndUnknownNodesAreRefused) {
  EXPECT_THROW(lay_out(graph_of(3, {{0, 1}, {1, 2}, {2, 0}})), UsageError);
  EXPECT_THROW(lay_out(graph_of(2, {{1, 1}})), UsageError);
  EXPECT_THROW(lay_out(graph_of(2, {{0, 2}})), UsageError);
}

}  // namespace
}  // namespace trellis::report::layered_graph_test
