#include "trellis/generative/network/bayes_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "random_networks.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/estimation.h"

namespace trellis::bayes_network_test {
namespace {

using namespace trellis::testing;

std::string complaint(std::vector<NetworkVariable> variables, NetworkParents parents) {
  try {
    NetworkGraph(std::move(variables), std::move(parents));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

const NetworkVariable kA{"a", {"0", "1"}}, kB{"b", {"0", "1", "2"}}, kC{"c", {"0", "1"}};

TEST(NetworkGraph, RefusesWhatIsNoNetwork) {
  EXPECT_EQ(complaint({kA, kB}, {{}, {0}}), "");
  EXPECT_EQ(complaint({kA, kA}, {{}, {}}), "there are two variables 'a'");
  EXPECT_EQ(complaint({kA, {"b", {}}}, {{}, {}}), "variable 'b' has no values");
  EXPECT_EQ(complaint({{"b", {"x", "y", "x"}}}, {{}}), "variable 'b' has the value 'x' twice");
  EXPECT_EQ(complaint({kA, kB}, {{}}), "1 lists of parents for 2 variables");
  EXPECT_EQ(complaint({kA, kB}, {{}, {2}}), "variable 'b' has the parent 2 of 2");
  EXPECT_EQ(complaint({kA, kB}, {{}, {0, 0}}), "variable 'b' has the parent 'a' twice");
  EXPECT_EQ(complaint({kA}, {{0}}), "the network has a cycle: a -> a");
}

TEST(NetworkGraph, NamesACycle) {
  const std::string cycle = complaint({kA, kB, kC}, {{2}, {0}, {1}});
  EXPECT_EQ(cycle, "the network has a cycle: a -> b -> c -> a");
  // One that is off to the side of where the search begins.
  EXPECT_EQ(complaint({kA, kB, kC}, {{1}, {2}, {1}}), "the network has a cycle: b -> c -> b");
}

TEST(NetworkGraph, RefusesTablesThatAreTooLarge) {
  std::vector<NetworkVariable> variables;
  NetworkParents parents(40);
  for (Index v = 0; v < 40; ++v) {
    variables.push_back({"x" + std::to_string(v), {"0", "1", "2"}});
    if (v > 0) parents[39].push_back(v - 1);
  }
  EXPECT_NE(complaint(variables, parents).find("too large"), std::string::npos);
}

TEST(NetworkGraph, LaysOutTablesByParents) {
  const NetworkGraph graph({kA, kB, kC}, {{1, 2}, {}, {}});
  EXPECT_EQ(graph.distributions().num(), 8u);
  EXPECT_EQ(graph.num_rows(0), 6u);
  EXPECT_EQ(graph.first_parameter(1), 12u);
  EXPECT_EQ(graph.parameter(0, std::vector<Label>{1, 2, 1}), 11u);  // the last cell of a's table
  EXPECT_EQ(std::vector<Index>(graph.order().begin(), graph.order().end()),
            (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(graph.find("c"), 2u);
  EXPECT_FALSE(graph.find("d"));
  EXPECT_EQ(graph.find_value(1, "2"), 2);
  EXPECT_FALSE(graph.find_value(1, "3"));
}

TEST(BayesNetwork, HasRowsThatSumToOne) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const BayesNetwork network =
        random_network(random_graph(1 + random.below(6), random), random, trial % 2 == 0);
    double sum = 0;
    each_completion(
        network.graph(), std::vector<Label>(network.graph().num_variables(), kNoLabel),
        [&](const std::vector<Label>& row) { sum += std::exp(network.log_probability(row)); });
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(network.missing_mass(), 1e-12);
  }
}

TEST(BayesNetwork, RefusesWhatIsNoDistribution) {
  const auto graph =
      std::make_shared<const NetworkGraph>(std::vector<NetworkVariable>{kA}, NetworkParents(1));
  const double half = std::log(0.5);
  EXPECT_NO_THROW(BayesNetwork(graph, {half, half}));
  EXPECT_NO_THROW(BayesNetwork(graph, {-kInfinity, 0}));
  EXPECT_NEAR(BayesNetwork(graph, {half, std::log(0.25)}).missing_mass(), 0.25, 1e-15);
  EXPECT_THROW(BayesNetwork(graph, {half}), UsageError);
  EXPECT_THROW(BayesNetwork(graph, {half, half + 1e-6}), UsageError);
  EXPECT_THROW(BayesNetwork(graph, {half, std::nan("")}), UsageError);
  EXPECT_THROW(BayesNetwork(graph, {half, kInfinity}), UsageError);
  EXPECT_THROW(BayesNetwork(graph, {-kInfinity, -kInfinity}), UsageError);
}

TEST(BayesNetwork, DrawsRowsByProbability) {
  Random random(2);
  const BayesNetwork network = random_network(random_graph(4, random), random, true);
  std::map<std::vector<Label>, double> seen;
  std::vector<Label> row(4);
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    network.sample(random, row);
    seen[row] += 1.0 / draws;
  }
  for (const auto& [x, frequency] : seen) {
    const double p = std::exp(network.log_probability(x));
    EXPECT_NEAR(frequency, p, 5 * std::sqrt(p / draws) + 1e-4);
  }
}

TEST(Estimation, CountsAndSmooths) {
  const auto graph = std::make_shared<const NetworkGraph>(std::vector<NetworkVariable>{kA, kB},
                                                          NetworkParents{{}, {0}});
  NetworkData data(2);
  data.add(std::vector<Label>{0, 1});
  data.add(std::vector<Label>{0, 1}, 2);
  data.add(std::vector<Label>{0, 2});
  const auto probabilities = [&](double alpha) {
    std::vector<double> p;
    const BayesNetwork network = estimate(graph, data, alpha);
    for (const double theta : network.theta()) p.push_back(std::exp(theta));
    return p;
  };
  const auto expect = [](const std::vector<double>& p, const std::vector<double>& q) {
    for (Index k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], q[k], 1e-15) << k;
  };
  // a = 1 is never seen: what follows it is uniform.
  expect(probabilities(0), {1, 0, 0, 0.75, 0.25, 1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect(probabilities(1),
         {5.0 / 6, 1.0 / 6, 1.0 / 7, 4.0 / 7, 2.0 / 7, 1.0 / 3, 1.0 / 3, 1.0 / 3});
  EXPECT_THROW(estimate(graph, data, -1), UsageError);
}

TEST(Estimation, RefusesRowsThatDoNotFit) {
  const auto graph = std::make_shared<const NetworkGraph>(std::vector<NetworkVariable>{kA, kB},
                                                          NetworkParents{{}, {0}});
  const auto fails = [&](std::vector<Label> row, double weight) {
    NetworkData data(row.size());
    data.add(row, weight);
    EXPECT_THROW(estimate(graph, data, 1), UsageError);
  };
  fails({0, kNoLabel}, 1);
  fails({0, 3}, 1);
  fails({-2, 0}, 1);
  fails({0}, 1);
  fails({0, 0}, 0);
}

TEST(NetworkData, MergesRowsThatAreEqual) {
  NetworkData data(2);
  for (const Label a : {1, 0, 1, kNoLabel, 1}) data.add(std::vector<Label>{a, 0}, 0.5);
  const NetworkData merged = data.merged();
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged.row(0)[0], 1);
  EXPECT_EQ(merged.weight(0), 1.5);
  EXPECT_EQ(merged.row(2)[0], kNoLabel);
  EXPECT_EQ(merged.total_weight(), data.total_weight());
}

}  // namespace
}  // namespace trellis::bayes_network_test
