// Small networks and rows for tests, and sums over all rows by enumeration.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/generative/network/network_data.h"

namespace trellis::testing {

inline std::vector<NetworkVariable> random_variables(Index n, Index max_values, Random& random) {
  std::vector<NetworkVariable> variables(n);
  for (Index v = 0; v < n; ++v) {
    variables[v].name = "x" + std::to_string(v);
    const Index values = 1 + random.below(max_values);
    for (Index a = 0; a < values; ++a) variables[v].values.push_back("v" + std::to_string(a));
  }
  return variables;
}

// Parents come before their children in a random order of the variables.
inline std::shared_ptr<const NetworkGraph> random_graph(Index n, Random& random,
                                                        Index max_values = 3,
                                                        Index max_parents = 3) {
  const std::vector<Index> order = random_permutation(n, Random(random.next()));
  NetworkParents parents(n);
  for (Index k = 1; k < n; ++k) {
    const std::vector<Index> before = random_permutation(k, Random(random.next()));
    const Index count = random.below(std::min(k, max_parents) + 1);
    for (Index j = 0; j < count; ++j) parents[order[k]].push_back(order[before[j]]);
  }
  return std::make_shared<const NetworkGraph>(random_variables(n, max_values, random),
                                              std::move(parents));
}

// Some probabilities are 0 where `zeros`; some mass is missing where `missing`.
inline BayesNetwork random_network(std::shared_ptr<const NetworkGraph> graph, Random& random,
                                   bool zeros = false, double missing = 0) {
  const Distributions& distributions = graph->distributions();
  std::vector<double> theta(distributions.dimension());
  for (Index i = 0; i < distributions.num(); ++i) {
    double total = 0;
    for (Index k = distributions.begin(i); k < distributions.end(i); ++k) {
      const bool zero = zeros && k > distributions.begin(i) && random.below(3) == 0;
      total += theta[k] = zero ? 0 : 0.05 + random.uniform();
    }
    const double mass = 1 - missing * random.uniform();
    for (Index k = distributions.begin(i); k < distributions.end(i); ++k) {
      theta[k] = std::log(mass * theta[k] / total);
    }
  }
  return {std::move(graph), std::move(theta)};
}

inline NetworkData draw_rows(const BayesNetwork& network, Index count, Random& random) {
  NetworkData data(network.graph().num_variables());
  std::vector<Label> row(data.num_variables());
  for (Index i = 0; i < count; ++i) {
    network.sample(random, row);
    data.add(row);
  }
  return data;
}

// visit(row) for every row that has the values of `given` where that has one.
template <class Visit>
void each_completion(const NetworkGraph& graph, const std::vector<Label>& given,
                     const Visit& visit) {
  std::vector<Label> row = given;
  for (Label& value : row) value = value == kNoLabel ? 0 : value;
  for (;;) {
    visit(row);
    Index v = 0;
    for (; v < row.size(); ++v) {
      if (given[v] != kNoLabel) continue;
      if (static_cast<Index>(++row[v]) < graph.num_values(v)) break;
      row[v] = 0;
    }
    if (v == row.size()) return;
  }
}

}  // namespace trellis::testing
