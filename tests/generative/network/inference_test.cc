// Every answer against the sum over all rows, with any values missing.
#include "trellis/generative/network/inference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "random_networks.h"

namespace trellis::inference_test {
namespace {

using namespace trellis::testing;

std::vector<Label> random_evidence(const NetworkGraph& graph, Random& random) {
  std::vector<Label> row(graph.num_variables());
  const std::uint64_t seen = random.below(4);
  for (Index v = 0; v < row.size(); ++v) {
    row[v] =
        random.below(3) < seen ? static_cast<Label>(random.below(graph.num_values(v))) : kNoLabel;
  }
  return row;
}

TEST(NetworkInference, EqualsEnumeration) {
  Random random(1);
  Index impossible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double missing_mass = trial % 3 == 0 ? 0.5 : 0;
    const BayesNetwork network = random_network(random_graph(1 + random.below(7), random), random,
                                                trial % 2 == 0, missing_mass);
    const NetworkGraph& graph = network.graph();
    NetworkInference inference(network);
    for (int query = 0; query < 8; ++query) {
      const std::vector<Label> given = random_evidence(graph, random);
      double total = 0, best = -kInfinity;
      std::vector<std::vector<double>> expected, found;
      for (Index v = 0; v < graph.num_variables(); ++v) {
        expected.emplace_back(graph.num_values(v), 0.0);
      }
      each_completion(graph, given, [&](const std::vector<Label>& row) {
        const double p = std::exp(network.log_probability(row));
        total += p;
        best = std::max(best, network.log_probability(row));
        for (Index v = 0; v < row.size(); ++v) expected[v][static_cast<Index>(row[v])] += p;
      });
      std::vector<Label> row = given;
      const double value = inference.complete(row);
      if (total == 0) {
        ++impossible;
        EXPECT_EQ(value, -kInfinity);
        EXPECT_EQ(row, given);
        EXPECT_EQ(inference.log_evidence(given), -kInfinity);
        EXPECT_EQ(inference.marginals(given, found), -kInfinity);
        EXPECT_FALSE(inference.sample(row, random));
        EXPECT_EQ(row, given);
        continue;
      }
      EXPECT_NEAR(value, best, 1e-12);
      EXPECT_EQ(value, network.log_probability(row));
      EXPECT_NEAR(inference.log_evidence(given), std::log(total), 1e-12);
      EXPECT_NEAR(inference.marginals(given, found), std::log(total), 1e-12);
      for (Index v = 0; v < graph.num_variables(); ++v) {
        EXPECT_TRUE(given[v] == kNoLabel || row[v] == given[v]);
        for (Index a = 0; a < graph.num_values(v); ++a) {
          EXPECT_NEAR(found[v][a], expected[v][a] / total, 1e-12);
        }
      }
    }
  }
  EXPECT_GT(impossible, 20u);
}

// Far too many rows to list: P(a, e) / P(e) is the marginal of a given e, and P of nothing is 1.
TEST(NetworkInference, AgreesWithItselfOnLargeNetworks) {
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const BayesNetwork network = random_network(random_graph(40, random, 3, 2), random);
    const NetworkGraph& graph = network.graph();
    NetworkInference inference(network);
    std::vector<Label> row(40, kNoLabel);
    EXPECT_NEAR(inference.log_evidence(row), 0, 1e-10);
    for (int seen = 0; seen < 12; ++seen) {
      const Index v = random.below(40);
      row[v] = static_cast<Label>(random.below(graph.num_values(v)));
    }
    std::vector<std::vector<double>> marginals;
    const double evidence = inference.marginals(row, marginals);
    EXPECT_NEAR(evidence, inference.log_evidence(row), 1e-10);
    for (Index v = 0; v < 40; v += 7) {
      if (row[v] != kNoLabel) continue;
      std::vector<Label> more = row;
      for (Index a = 0; a < graph.num_values(v); ++a) {
        more[v] = static_cast<Label>(a);
        EXPECT_NEAR(std::exp(inference.log_evidence(more) - evidence), marginals[v][a], 1e-10);
      }
    }
    std::vector<Label> best = row, drawn = row;
    const double most = inference.complete(best);
    for (int draw = 0; draw < 50; ++draw) {
      drawn = row;
      ASSERT_TRUE(inference.sample(drawn, random));
      EXPECT_LE(network.log_probability(drawn), most + 1e-10);
    }
  }
}

TEST(NetworkInference, DrawsGivenEvidence) {
  Random random(2);
  const BayesNetwork network = random_network(random_graph(5, random, 3, 2), random);
  NetworkInference inference(network);
  std::vector<Label> given = {kNoLabel, 0, kNoLabel, kNoLabel, 0};
  const double evidence = inference.log_evidence(given);
  std::map<std::vector<Label>, double> seen;
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    std::vector<Label> row = given;
    ASSERT_TRUE(inference.sample(row, random));
    seen[row] += 1.0 / draws;
  }
  for (const auto& [row, frequency] : seen) {
    EXPECT_EQ(row[1], 0);
    EXPECT_EQ(row[4], 0);
    const double p = std::exp(network.log_probability(row) - evidence);
    EXPECT_NEAR(frequency, p, 5 * std::sqrt(p / draws) + 1e-4);
  }
}

}  // namespace
}  // namespace trellis::inference_test
