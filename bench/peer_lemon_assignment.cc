// LEMON on an assignment problem of assignment_bench: network simplex, cost scaling (on weights
// rounded to 2^-30, since it wants integers) and, on sparse graphs, maximum weighted perfect
// matching (which on dense ones takes minutes). Building the graph is not timed.
#include <lemon/cost_scaling.h>
#include <lemon/matching.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

#include "assignment_instance.h"

namespace {

struct Network {
  lemon::SmartDigraph graph;
  lemon::SmartDigraph::ArcMap<double> weight{graph};
  lemon::SmartDigraph::NodeMap<int> supply{graph};
  lemon::ConstMap<lemon::SmartDigraph::Arc, int> capacity{1};

  explicit Network(const AssignmentInstance& instance) {
    for (std::size_t i = 0; i < instance.rows; ++i) supply[graph.addNode()] = 1;
    for (std::size_t j = 0; j < instance.columns; ++j) supply[graph.addNode()] = -1;
    instance.each_edge([&](std::size_t i, std::size_t j, double w) {
      const auto arc = graph.addArc(graph.nodeFromId(static_cast<int>(i)),
                                    graph.nodeFromId(static_cast<int>(instance.rows + j)));
      weight[arc] = w;
    });
  }
};

double network_simplex(const Network& network, double& weight) {
  lemon::SmartDigraph::ArcMap<double> cost(network.graph);
  for (lemon::SmartDigraph::ArcIt arc(network.graph); arc != lemon::INVALID; ++arc) {
    cost[arc] = -network.weight[arc];
  }
  return fastest(1, [&] {
    lemon::NetworkSimplex<lemon::SmartDigraph, int, double> simplex(network.graph);
    simplex.costMap(cost).supplyMap(network.supply).run();
    weight = -simplex.totalCost<double>();
  });
}

double cost_scaling(const Network& network, double& weight) {
  lemon::SmartDigraph::ArcMap<std::int64_t> cost(network.graph);
  for (lemon::SmartDigraph::ArcIt arc(network.graph); arc != lemon::INVALID; ++arc) {
    cost[arc] = std::llround(-std::ldexp(network.weight[arc], 30));
  }
  return fastest(1, [&] {
    lemon::CostScaling<lemon::SmartDigraph, int, std::int64_t> scaling(network.graph);
    scaling.upperMap(network.capacity).costMap(cost).supplyMap(network.supply).run();
    weight = 0;
    for (lemon::SmartDigraph::ArcIt arc(network.graph); arc != lemon::INVALID; ++arc) {
      if (scaling.flow(arc) > 0) weight += network.weight[arc];
    }
  });
}

double weighted_matching(const AssignmentInstance& instance, double& weight) {
  lemon::SmartGraph graph;
  lemon::SmartGraph::EdgeMap<double> weights(graph);
  for (std::size_t k = 0; k < instance.rows + instance.columns; ++k) graph.addNode();
  instance.each_edge([&](std::size_t i, std::size_t j, double w) {
    weights[graph.addEdge(graph.nodeFromId(static_cast<int>(i)),
                          graph.nodeFromId(static_cast<int>(instance.rows + j)))] = w;
  });
  return fastest(1, [&] {
    lemon::MaxWeightedPerfectMatching<lemon::SmartGraph, lemon::SmartGraph::EdgeMap<double>>
        matching(graph, weights);
    matching.run();
    weight = matching.matchingWeight();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const AssignmentInstance instance = AssignmentInstance::read(argv[1]);
  const Network network(instance);
  const char* const format = "%s{\"name\": \"LEMON %s\", \"seconds\": %.9g, \"weight\": %.17g}";
  double weight = 0;
  double seconds = network_simplex(network, weight);
  std::printf(format, "[", "network simplex", seconds, weight);
  seconds = cost_scaling(network, weight);
  std::printf(format, ", ", "cost scaling", seconds, weight);
  if (!instance.begin.empty()) {
    seconds = weighted_matching(instance, weight);
    std::printf(format, ", ", "weighted perfect matching", seconds, weight);
  }
  std::printf("]\n");
}
