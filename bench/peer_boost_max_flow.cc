// Boost's Boykov–Kolmogorov, on its compressed graph.
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <utility>

#include "bench/grid_cut.h"

namespace trellis::bench {
namespace {

struct HalfEdge {
  std::uint32_t tail, head, reverse;
  double capacity;
};

}  // namespace

TimedCut boost_boykov_kolmogorov(const GridCut& grid) {
  using Graph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, std::uint32_t, std::uint32_t>;
  using Edge = boost::graph_traits<Graph>::edge_descriptor;
  const auto num_nodes = static_cast<std::uint32_t>(grid.supply.size());
  const std::uint32_t source = num_nodes, sink = num_nodes + 1;
  std::vector<HalfEdge> halves;
  const auto add = [&](std::uint32_t j, std::uint32_t k, double forward, double backward) {
    const auto first = static_cast<std::uint32_t>(halves.size());
    halves.push_back({j, k, first + 1, forward});
    halves.push_back({k, j, first, backward});
  };
  for (std::uint32_t j = 0; j < num_nodes; ++j) {
    if (grid.supply[j] > 0) add(source, j, grid.supply[j], 0);
    if (grid.supply[j] < 0) add(j, sink, -grid.supply[j], 0);
  }
  for (std::size_t e = 0; e < grid.tails.size(); ++e) {
    add(grid.tails[e], grid.heads[e], grid.capacity[e], grid.capacity[e]);
  }
  // Sorted by tail, so that the graph keeps the order and half i is edge place[i].
  std::vector<std::uint32_t> begin(num_nodes + 3, 0), place(halves.size());
  for (const HalfEdge& half : halves) ++begin[half.tail + 1];
  for (std::size_t j = 1; j < begin.size(); ++j) begin[j] += begin[j - 1];
  for (std::size_t i = 0; i < halves.size(); ++i) place[i] = begin[halves[i].tail]++;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(halves.size());
  std::vector<double> capacity(halves.size()), residual(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    pairs[place[i]] = {halves[i].tail, halves[i].head};
    capacity[place[i]] = halves[i].capacity;
  }
  const Graph graph(boost::edges_are_sorted, pairs.begin(), pairs.end(), num_nodes + 2);
  std::vector<Edge> reverse(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const HalfEdge& other = halves[halves[i].reverse];
    reverse[place[i]] = Edge(other.tail, place[halves[i].reverse]);
  }
  std::vector<Edge> predecessor(num_nodes + 2);
  std::vector<boost::default_color_type> color(num_nodes + 2);
  std::vector<std::uint32_t> distance(num_nodes + 2);
  const auto index = boost::get(boost::edge_index, graph);
  const auto node_index = boost::get(boost::vertex_index, graph);
  const double start = processor_seconds();
  const double cost = boost::boykov_kolmogorov_max_flow(
      graph, boost::make_iterator_property_map(capacity.begin(), index),
      boost::make_iterator_property_map(residual.begin(), index),
      boost::make_iterator_property_map(reverse.begin(), index),
      boost::make_iterator_property_map(predecessor.begin(), node_index),
      boost::make_iterator_property_map(color.begin(), node_index),
      boost::make_iterator_property_map(distance.begin(), node_index), node_index, source, sink);
  return {processor_seconds() - start, cost};
}

}  // namespace trellis::bench
