#include "trellis/generative/network/dependence.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "trellis/generative/network/reduced_network.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// By parameter of the network, the probability of its family's values.
std::vector<double> family_probabilities(const BayesNetwork& network) {
  const NetworkGraph& graph = network.graph();
  std::vector<Index> all(graph.num_variables());
  std::iota(all.begin(), all.end(), Index{0});
  const ReducedNetwork reduced(graph, all);
  const std::vector<Label> nothing(graph.num_variables(), kNoLabel);
  std::vector<std::uint32_t> places(reduced.num_families());
  std::vector<double> scores(reduced.plan().num_parts()), parts(scores.size());
  reduced.locate(nothing, places);
  reduced.scores(places, network.theta(), scores);
  JunctionTree::Scratch scratch;
  reduced.structure().log_partition(scores, scratch, parts);
  std::vector<double> probabilities(network.theta().size(), 0.0);
  reduced.add_features(places, parts, 1, probabilities);
  return probabilities;
}

// Of a variable with d values and a parent with p, in the table of a family: cells lie by the
// parents before that one, its value, the parents behind it (`behind` assignments), and the value.
double conditional_information(std::span<const double> cells, Index d, Index p, Index behind) {
  const Index before = cells.size() / (d * p * behind);
  double information = 0;
  std::vector<double> by_value(d), by_parent(p);
  for (Index rest = 0; rest < before * behind; ++rest) {
    const double* first = cells.data() + (rest / behind * p * behind + rest % behind) * d;
    std::fill(by_value.begin(), by_value.end(), 0.0);
    std::fill(by_parent.begin(), by_parent.end(), 0.0);
    double sum = 0;
    for (Index u = 0; u < p; ++u) {
      for (Index v = 0; v < d; ++v) {
        const double cell = first[u * behind * d + v];
        by_value[v] += cell;
        by_parent[u] += cell;
        sum += cell;
      }
    }
    for (Index u = 0; u < p; ++u) {
      for (Index v = 0; v < d; ++v) {
        const double cell = first[u * behind * d + v];
        if (!(cell > 0)) continue;
        information += cell * portable_log(cell / by_value[v] * (sum / by_parent[u]));
      }
    }
  }
  return std::max(information, 0.0);
}

}  // namespace

std::vector<std::vector<double>> dependences(const BayesNetwork& network) {
  const NetworkGraph& graph = network.graph();
  const std::vector<double> probabilities = family_probabilities(network);
  std::vector<std::vector<double>> found(graph.num_variables());
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const Index d = graph.num_values(v);
    const auto cells =
        std::span(probabilities).subspan(graph.first_parameter(v), graph.num_rows(v) * d);
    Index behind = graph.num_rows(v);
    for (const Index u : graph.parents(v)) {
      behind /= graph.num_values(u);
      found[v].push_back(conditional_information(cells, d, graph.num_values(u), behind));
    }
  }
  return found;
}

}  // namespace trellis
