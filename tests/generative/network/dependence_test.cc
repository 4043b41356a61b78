// Against sums over all rows.
#include "trellis/generative/network/dependence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "random_networks.h"

namespace trellis::dependence_test {
namespace {

using namespace trellis::testing;

// Entropy of some variables under the normalised joint distribution.
double entropy(const BayesNetwork& network, const std::vector<Index>& of) {
  std::map<std::vector<Label>, double> sums;
  double total = 0;
  each_completion(network.graph(), std::vector<Label>(network.graph().num_variables(), kNoLabel),
                  [&](const std::vector<Label>& row) {
                    std::vector<Label> key;
                    for (const Index v : of) key.push_back(row[v]);
                    const double p = std::exp(network.log_probability(row));
                    sums[key] += p;
                    total += p;
                  });
  double sum = 0;
  for (const auto& [key, p] : sums) sum -= p > 0 ? p / total * std::log(p / total) : 0;
  return sum;
}

TEST(Dependence, EqualsEnumeration) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const BayesNetwork network = random_network(random_graph(1 + random.below(6), random), random,
                                                trial % 2 == 0, trial % 3 == 0 ? 0.4 : 0);
    const NetworkGraph& graph = network.graph();
    const auto found = dependences(network);
    ASSERT_EQ(found.size(), graph.num_variables());
    for (Index v = 0; v < graph.num_variables(); ++v) {
      ASSERT_EQ(found[v].size(), graph.parents(v).size());
      for (Index i = 0; i < graph.parents(v).size(); ++i) {
        // I(v; u | W) = H(v, W) + H(u, W) − H(v, u, W) − H(W)
        std::vector<Index> rest;
        for (const Index u : graph.parents(v)) {
          if (u != graph.parents(v)[i]) rest.push_back(u);
        }
        const auto with = [&](std::vector<Index> more) {
          more.insert(more.end(), rest.begin(), rest.end());
          return entropy(network, more);
        };
        const Index u = graph.parents(v)[i];
        EXPECT_NEAR(found[v][i], with({v}) + with({u}) - with({v, u}) - with({}), 1e-9);
      }
    }
  }
}

TEST(Dependence, AnArrowThatCouldBeLeftOutIsZero) {
  const auto graph = std::make_shared<const NetworkGraph>(
      std::vector<NetworkVariable>{{"a", {"0", "1"}}, {"b", {"0", "1"}}}, NetworkParents{{}, {0}});
  std::vector<double> theta;
  for (const double p : {0.3, 0.7, 0.6, 0.4, 0.6, 0.4}) theta.push_back(std::log(p));
  EXPECT_NEAR(dependences(BayesNetwork(graph, theta))[1][0], 0, 1e-12);
}

}  // namespace
}  // namespace trellis::dependence_test
