#include "trellis/generative/network/network_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random_networks.h"
#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/inference.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::network_model_test {
namespace {

using namespace trellis::testing;

static_assert(PartModel<NetworkModel> && HingeModel<NetworkModel>);

std::vector<Index> random_hidden(Index n, Random& random) {
  std::vector<Index> hidden = random_permutation(n, Random(random.next()));
  hidden.resize(1 + random.below(n));
  return hidden;
}

struct Instance {
  BayesNetwork network;
  NetworkData data;
  std::vector<std::vector<Index>> hidden;  // by row
};

Instance random_instance(Random& random, Index rows = 6) {
  BayesNetwork network = random_network(random_graph(2 + random.below(4), random), random);
  NetworkData data = draw_rows(network, rows, random);
  std::vector<std::vector<Index>> hidden;
  for (Index i = 0; i < rows; ++i) {
    hidden.push_back(random_hidden(network.graph().num_variables(), random));
  }
  return {std::move(network), std::move(data), std::move(hidden)};
}

// L_k(θ) = max_h log P(h, x) − log P(h*, x) + cost, and conditional likelihood, by enumeration.
TEST(NetworkModel, IsTheLossOfItsNetwork) {
  Random random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const Instance instance = random_instance(random);
    const NetworkGraph& graph = instance.network.graph();
    const NetworkModel model(graph, instance.data, instance.hidden);
    const HingeProblem<NetworkModel> hinge(model);
    const SmoothProblem<NetworkModel> smooth(model);
    const std::vector<double> theta(instance.network.theta().begin(),
                                    instance.network.theta().end());
    for (Index i = 0; i < instance.data.size(); ++i) {
      const std::vector<Label> truth(instance.data.row(i).begin(), instance.data.row(i).end());
      std::vector<Label> given = truth;
      for (const Index v : instance.hidden[i]) given[v] = kNoLabel;
      double worst = -kInfinity, evidence = 0;
      each_completion(graph, given, [&](const std::vector<Label>& row) {
        double cost = 0;
        for (Index v = 0; v < row.size(); ++v) cost += row[v] == truth[v] ? 0 : 1;
        worst = std::max(worst, cost + instance.network.log_probability(row));
        evidence += std::exp(instance.network.log_probability(row));
      });
      const double gold = instance.network.log_probability(truth);
      EXPECT_NEAR(value_at(hinge, i, theta), worst - gold, 1e-10);
      EXPECT_NEAR(value_at(smooth, i, theta), std::log(evidence) - gold, 1e-10);
    }
  }
}

TEST(NetworkModel, MakesOraclesThatKeepTheirPromises) {
  Random random(2);
  for (int trial = 0; trial < 5; ++trial) {
    const Instance instance = random_instance(random, 4);
    const NetworkModel model(instance.network.graph(), instance.data, instance.hidden);
    const HingeProblem<NetworkModel> hinge(model);
    expect_touching(hinge, 3);
    expect_minorant(hinge, 4);
    const SmoothProblem<NetworkModel> smooth(model, 1, 1);
    expect_touching(smooth, 5);
    expect_minorant(smooth, 6);
    expect_gradient(smooth, 7);
  }
}

TEST(NetworkModel, TakesCostsFromTables) {
  const NetworkGraph graph({{"a", {"0", "1", "2"}}, {"b", {"0", "1"}}}, {{}, {0}});
  NetworkData data(2);
  data.add(std::vector<Label>{2, 1});
  NetworkModelOptions options;
  options.costs = {CostTable(3, {0, 1, 2, 1, 0, 1, 2, 5, 0}), CostTable::hamming(2)};
  const NetworkModel model(graph, data, std::vector<Index>{0}, options);
  std::vector<double> s(model.structure(0).num_parts(), 0.0);
  model.add_costs(0, 2, s);
  EXPECT_EQ(s, (std::vector<double>{4, 10, 0}));
  options.costs.pop_back();
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{0}, options), UsageError);
  options.costs.push_back(CostTable::hamming(3));
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{0}, options), UsageError);
}

// A class with children has no more parts than values, and one tree for all rows.
TEST(NetworkModel, FoldsFamiliesThatKeepOneHiddenVariable) {
  NetworkParents parents(13, {0});
  parents[0].clear();
  parents[5] = {0, 4};
  std::vector<NetworkVariable> variables(13, {"", {"0", "1", "2"}});
  for (Index v = 0; v < 13; ++v) variables[v].name = "x" + std::to_string(v);
  const NetworkGraph graph(variables, parents);
  NetworkData data(13);
  data.add(std::vector<Label>(13, 1));
  data.add(std::vector<Label>(13, 2));
  const NetworkModel model(graph, data, std::vector<Index>{0});
  EXPECT_EQ(model.structure(0).num_parts(), 3u);
  EXPECT_EQ(&model.structure(0).plan(), &model.structure(1).plan());
}

TEST(NetworkModel, MergesRowsThatAreAlikeToItsLosses) {
  Random random(8);
  const BayesNetwork network = random_network(random_graph(5, random, 2, 2), random);
  const NetworkData data = draw_rows(network, 200, random);
  const std::vector<Index> hidden = {1, 3};
  NetworkModelOptions options;
  options.merge_rows = true;
  const NetworkModel apart(network.graph(), data, hidden);
  const NetworkModel merged(network.graph(), data, hidden, options);
  EXPECT_EQ(apart.num_examples(), 200u);
  EXPECT_LT(merged.num_examples(), 33u);
  const auto total = [&](const NetworkModel& model, const std::vector<double>& theta) {
    const HingeProblem<NetworkModel> problem(model);
    double sum = 0;
    for (Index i = 0; i < model.num_examples(); ++i) sum += value_at(problem, i, theta);
    return sum;
  };
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> theta = random_weights(apart.dimension(), 1, random);
    EXPECT_NEAR(total(apart, theta), total(merged, theta), 1e-9);
  }
}

TEST(NetworkModel, RefusesWhatDoesNotFit) {
  const NetworkGraph graph({{"a", {"0", "1"}}, {"b", {"0", "1"}}}, {{}, {0}});
  NetworkData data(2);
  data.add(std::vector<Label>{0, 1});
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{}), UsageError);
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{2}), UsageError);
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{1, 1}), UsageError);
  EXPECT_THROW(NetworkModel(graph, data, std::vector<std::vector<Index>>{}), UsageError);
  data.add(std::vector<Label>{0, kNoLabel});
  EXPECT_THROW(NetworkModel(graph, data, std::vector<Index>{1}), UsageError);
}

}  // namespace
}  // namespace trellis::network_model_test
