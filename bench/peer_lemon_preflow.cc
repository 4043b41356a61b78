// LEMON's preflow, highest label first. A source of its own, because LEMON 1.3 is not C++20.
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include "bench/grid_cut.h"

namespace trellis::bench {

TimedCut lemon_preflow(const GridCut& grid) {
  using Graph = lemon::SmartDigraph;
  Graph graph;
  graph.reserveNode(static_cast<int>(grid.supply.size()) + 2);
  graph.reserveArc(static_cast<int>(grid.supply.size() + 2 * grid.tails.size()));
  Graph::ArcMap<double> capacity(graph);
  for (std::size_t j = 0; j < grid.supply.size() + 2; ++j) graph.addNode();
  const Graph::Node source = graph.nodeFromId(static_cast<int>(grid.supply.size()));
  const Graph::Node sink = graph.nodeFromId(static_cast<int>(grid.supply.size()) + 1);
  for (std::size_t j = 0; j < grid.supply.size(); ++j) {
    const Graph::Node node = graph.nodeFromId(static_cast<int>(j));
    const double supply = grid.supply[j];
    if (supply > 0) capacity[graph.addArc(source, node)] = supply;
    if (supply < 0) capacity[graph.addArc(node, sink)] = -supply;
  }
  for (std::size_t e = 0; e < grid.tails.size(); ++e) {
    const Graph::Node j = graph.nodeFromId(static_cast<int>(grid.tails[e]));
    const Graph::Node k = graph.nodeFromId(static_cast<int>(grid.heads[e]));
    capacity[graph.addArc(j, k)] = grid.capacity[e];
    capacity[graph.addArc(k, j)] = grid.capacity[e];
  }
  lemon::Preflow<Graph, Graph::ArcMap<double>> preflow(graph, capacity, source, sink);
  const double begin = processor_seconds();
  preflow.runMinCut();
  return {processor_seconds() - begin, preflow.flowValue()};
}

}  // namespace trellis::bench
