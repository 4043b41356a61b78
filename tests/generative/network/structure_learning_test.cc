#include "trellis/generative/network/structure_learning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random_networks.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/estimation.h"

namespace trellis::structure_learning_test {
namespace {

using namespace trellis::testing;

double bic_by_hand(const std::shared_ptr<const NetworkGraph>& graph, const NetworkData& data) {
  const BayesNetwork network = estimate(graph, data, 0);
  double score = 0, parameters = 0;
  for (Index i = 0; i < data.size(); ++i) {
    score += data.weight(i) * network.log_probability(data.row(i));
  }
  for (Index v = 0; v < graph->num_variables(); ++v) {
    parameters += static_cast<double>((graph->num_values(v) - 1) * graph->num_rows(v));
  }
  return score - 0.5 * std::log(data.total_weight()) * parameters;
}

double log_likelihood(const std::vector<NetworkVariable>& variables, const NetworkParents& parents,
                      const NetworkData& data) {
  const BayesNetwork network =
      estimate(std::make_shared<const NetworkGraph>(variables, parents), data, 0);
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) sum += network.log_probability(data.row(i));
  return sum;
}

TEST(StructureLearning, ScoresByTheCriterion) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const BayesNetwork network = random_network(random_graph(5, random), random);
    const NetworkData data = draw_rows(network, 80, random);
    EXPECT_NEAR(bic_score(network.graph(), data), bic_by_hand(network.shared_graph(), data), 1e-9);
  }
}

// Against all trees of four variables: sixteen by Cayley, found by choosing a parent for each.
TEST(StructureLearning, FindsTheMostLikelyTree) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const BayesNetwork network = random_network(random_graph(4, random), random);
    const NetworkData data = draw_rows(network, 100, random);
    const std::vector<NetworkVariable>& variables = network.graph().variables();
    const Index root = random.below(4);
    double best = -kInfinity;
    Index trees = 0;
    for (Index code = 0; code < 64; ++code) {
      NetworkParents parents(4);
      Index rest = code;
      bool fits = true;
      for (Index v = 0; v < 4; ++v) {
        if (v == root) continue;
        parents[v] = {rest % 4};
        rest /= 4;
        fits &= parents[v][0] != v;
      }
      if (!fits) continue;
      try {
        NetworkGraph(variables, parents);
      } catch (const UsageError&) {
        continue;  // a cycle
      }
      ++trees;
      best = std::max(best, log_likelihood(variables, parents, data));
    }
    EXPECT_EQ(trees, 16u);
    const NetworkParents found = chow_liu_parents(variables, data, root);
    EXPECT_TRUE(found[root].empty());
    EXPECT_NEAR(log_likelihood(variables, found, data), best, 1e-9);
  }
}

TEST(StructureLearning, MeasuresInformation) {
  const std::vector<NetworkVariable> variables = {
      {"a", {"0", "1"}}, {"b", {"0", "1"}}, {"c", {"0", "1"}}};
  NetworkData data(3);
  for (const Label a : {0, 1}) {
    for (const Label c : {0, 1}) data.add(std::vector<Label>{a, a, c});
  }
  EXPECT_NEAR(mutual_information(variables, data, 0, 1), std::log(2.0), 1e-12);
  EXPECT_NEAR(mutual_information(variables, data, 0, 2), 0, 1e-12);
}

TEST(StructureLearning, MakesTheClassAParent) {
  EXPECT_EQ(naive_parents(3, 1), (NetworkParents{{1}, {}, {1}}));
  EXPECT_THROW(naive_parents(3, 3), UsageError);
}

// Two causes of one effect: the only graph of its class, and found as it is.
TEST(StructureLearning, ClimbsToTheGraphThatTheRowsCameFrom) {
  const std::vector<NetworkVariable> variables = {
      {"rain", {"0", "1"}}, {"hose", {"0", "1"}}, {"wet", {"0", "1"}}, {"slip", {"0", "1"}}};
  const NetworkParents truth = {{}, {}, {0, 1}, {2}};
  const auto graph = std::make_shared<const NetworkGraph>(variables, truth);
  std::vector<double> theta;
  for (const double p :
       {0.6, 0.4, 0.3, 0.7, 0.95, 0.05, 0.2, 0.8, 0.3, 0.7, 0.05, 0.95, 0.9, 0.1, 0.3, 0.7}) {
    theta.push_back(std::log(p));
  }
  Random random(3);
  const NetworkData data = draw_rows(BayesNetwork(graph, theta), 5000, random);
  const LearnedGraph found = climb_hills(variables, data, {});
  EXPECT_EQ(found.parents, truth);
  EXPECT_NEAR(found.score, bic_score(*graph, data), 1e-6);
}

// No graph that is one arc away is better, and it is a graph.
TEST(StructureLearning, EndsWhereNoArcHelps) {
  Random random(4);
  for (int trial = 0; trial < 8; ++trial) {
    const BayesNetwork network = random_network(random_graph(6, random), random);
    const NetworkData data = draw_rows(network, 400, random);
    const std::vector<NetworkVariable>& variables = network.graph().variables();
    HillClimbing options;
    options.max_parents = 2;
    options.tabu = trial % 2 == 0 ? 10 : 0;
    options.patience = trial % 2 == 0 ? 10 : 0;
    const LearnedGraph found = climb_hills(variables, data, options);
    EXPECT_NEAR(found.score, bic_score(NetworkGraph(variables, found.parents), data), 1e-8);
    const auto expect_no_better = [&](const NetworkParents& other) {
      for (const std::vector<Index>& list : other) {
        if (list.size() > options.max_parents) return;
      }
      try {
        EXPECT_LE(bic_score(NetworkGraph(variables, other), data), found.score + 1e-6);
      } catch (const UsageError&) {  // a cycle
      }
    };
    for (Index u = 0; u < 6; ++u) {
      for (Index v = 0; v < 6; ++v) {
        if (u == v) continue;
        NetworkParents other = found.parents;
        const auto place = std::find(other[v].begin(), other[v].end(), u);
        if (place == other[v].end()) {
          other[v].push_back(u);
          expect_no_better(other);
          continue;
        }
        other[v].erase(place);
        expect_no_better(other);
        other[u].push_back(v);
        expect_no_better(other);
      }
    }
  }
}

TEST(StructureLearning, DoesNotDependOnThreads) {
  Random random(5);
  const BayesNetwork network = random_network(random_graph(7, random), random);
  const NetworkData data = draw_rows(network, 300, random);
  HillClimbing options;
  const LearnedGraph one = climb_hills(network.graph().variables(), data, options);
  options.threads = 3;
  const LearnedGraph three = climb_hills(network.graph().variables(), data, options);
  EXPECT_EQ(one.parents, three.parents);
  EXPECT_EQ(one.score, three.score);
  EXPECT_EQ(chow_liu_parents(network.graph().variables(), data, 2, 1),
            chow_liu_parents(network.graph().variables(), data, 2, 3));
}

TEST(StructureLearning, RefusesMissingValues) {
  const std::vector<NetworkVariable> variables = {{"a", {"0", "1"}}, {"b", {"0", "1"}}};
  NetworkData data(2);
  EXPECT_THROW(climb_hills(variables, data, {}), UsageError);  // no rows
  data.add(std::vector<Label>{0, kNoLabel});
  EXPECT_THROW(climb_hills(variables, data, {}), UsageError);
  EXPECT_THROW(chow_liu_parents(variables, data), UsageError);
}

}  // namespace
}  // namespace trellis::structure_learning_test
