#include "trellis/structure/graphs/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using conformance::Scores;

// Every pair of nodes is joined with the same probability, so some graphs fall into pieces.
std::vector<NodePair> draw_edges(Index num_nodes, Random& random) {
  const double density = random.uniform();
  std::vector<NodePair> edges;
  for (std::uint32_t j = 0; j < num_nodes; ++j) {
    for (std::uint32_t k = 0; k < j; ++k) {
      if (random.uniform() < density) {
        edges.push_back(random.below(2) == 0 ? NodePair{j, k} : NodePair{k, j});
      }
    }
  }
  return edges;
}

std::vector<CutNetwork::Output> all_labelings(Index num_nodes) {
  std::vector<CutNetwork::Output> outputs;
  for (Index bits = 0; bits < Index{1} << num_nodes; ++bits) {
    CutNetwork::Output& y = outputs.emplace_back(num_nodes);
    for (Index j = 0; j < num_nodes; ++j) y[j] = static_cast<Label>(bits >> j & 1);
  }
  return outputs;
}

std::vector<double> draw_submodular(const CutNetwork& network, Scores kind, Random& random) {
  std::vector<double> s = conformance::draw_scores(kind, network.num_parts(), random);
  for (Index e = 0; e < network.edges().size(); ++e) {
    double& disagreement = s[network.disagreement_part(e)];
    disagreement = -std::abs(disagreement);
  }
  return s;
}

class EachKind : public ::testing::TestWithParam<CutEdges> {};

TEST_P(EachKind, MaximizeEqualsEnumeration) {
  Random random(1);
  CutNetwork::Scratch scratch;
  for (Index trial = 0; trial < 200; ++trial) {
    const Index num_nodes = 1 + random.below(7);
    const std::vector<NodePair> edges = draw_edges(num_nodes, random);
    const CutNetwork network(num_nodes, edges, GetParam());
    const conformance::Enumeration<CutNetwork> all(network, all_labelings(num_nodes));
    for (const Scores kind : conformance::kAllScores) {
      conformance::check_maximize(all, draw_submodular(network, kind, random), scratch);
    }
  }
}

TEST_P(EachKind, BestVertexOfTheLinearProgramIsTheBestLabeling) {
  Random random(2);
  CutNetwork::Scratch scratch;
  for (Index trial = 0; trial < 40; ++trial) {
    const Index num_nodes = 1 + random.below(6);
    const std::vector<NodePair> edges = draw_edges(num_nodes, random);
    const CutNetwork network(num_nodes, edges, GetParam());
    const conformance::Enumeration<CutNetwork> all(network, all_labelings(num_nodes));
    conformance::check_outputs_are_feasible(all);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      conformance::check_linear_program(all, draw_submodular(network, kind, random), scratch);
    }
  }
}

TEST_P(EachKind, ProjectionIsTheNearestPointOfTheLinearProgram) {
  Random random(3);
  CutNetwork::Scratch scratch;
  for (Index trial = 0; trial < 150; ++trial) {
    const Index num_nodes = 1 + random.below(12);
    const std::vector<NodePair> edges = draw_edges(num_nodes, random);
    const CutNetwork network(num_nodes, edges, GetParam());
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      std::vector<double> v = conformance::draw_scores(kind, network.num_parts(), random);
      conformance::check_project(network, v, scratch);
    }
  }
}

TEST_P(EachKind, LabelingsAreTheirOwnProjections) {
  Random random(4);
  CutNetwork::Scratch scratch;
  for (Index trial = 0; trial < 50; ++trial) {
    const Index num_nodes = 1 + random.below(10);
    const std::vector<NodePair> edges = draw_edges(num_nodes, random);
    const CutNetwork network(num_nodes, edges, GetParam());
    CutNetwork::Output y(num_nodes);
    for (Label& label : y) label = static_cast<Label>(random.below(2));
    std::vector<double> v(network.num_parts()), z(network.num_parts());
    network.indicator(y, v);
    network.project(v, scratch, z);
    for (Index p = 0; p < v.size(); ++p) EXPECT_NEAR(z[p], v[p], 1e-12) << "part " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(CutNetwork, EachKind,
                         ::testing::Values(CutEdges::kPotts, CutEdges::kTable));

TEST(CutNetwork, TiesGoToTheFewestOnes) {
  const std::vector<NodePair> edges = {{0, 1}, {1, 2}};
  const CutNetwork network(3, edges);
  CutNetwork::Scratch scratch;
  CutNetwork::Output y;
  EXPECT_EQ(network.maximize(std::vector<double>{1, 0, -1, -1, -1}, scratch, y), 0);
  EXPECT_EQ(y, (CutNetwork::Output{0, 0, 0}));
  EXPECT_EQ(network.maximize(std::vector<double>(5, 0.0), scratch, y), 0);
  EXPECT_EQ(y, (CutNetwork::Output{0, 0, 0}));
}

TEST(CutNetwork, TablesSpanSubmodularTables) {
  // 00, 01, 10, 11 = 5, 1, 2, 4: submodular, since 5 + 4 ≥ 1 + 2. Less 5: 0, −4, −3, −1.
  const std::vector<NodePair> edges = {{0, 1}};
  const CutNetwork network(2, edges, CutEdges::kTable);
  const double a = 0, b = -1, s = -3;
  const std::vector<double> scores = {0, 0, a, b, s};
  EXPECT_EQ(network.score(scores, {0, 0}), 0);
  EXPECT_EQ(network.score(scores, {0, 1}), -4);
  EXPECT_EQ(network.score(scores, {1, 0}), -3);
  EXPECT_EQ(network.score(scores, {1, 1}), -1);
}

TEST(CutNetwork, RewardsForDisagreementAreRefusedByName) {
  const std::vector<NodePair> edges = {{0, 1}, {2, 1}};
  const CutNetwork network(3, edges);
  CutNetwork::Scratch scratch;
  CutNetwork::Output y;
  try {
    network.maximize(std::vector<double>{1, 2, 3, -1, 0.5}, scratch, y);
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("edge 1 between nodes 2 and 1"), std::string::npos) << message;
  }
}

TEST(CutNetwork, GraphsMustBeSimple) {
  const std::vector<NodePair> loop = {{0, 1}, {1, 1}};
  const std::vector<NodePair> outside = {{0, 2}};
  const std::vector<NodePair> twice = {{0, 1}, {1, 2}, {1, 0}};
  EXPECT_THROW(CutNetwork(2, loop), UsageError);
  EXPECT_THROW(CutNetwork(2, outside), UsageError);
  EXPECT_THROW(CutNetwork(3, twice), UsageError);
}

TEST(CutNetwork, LegalOutputsAreBinaryAndOfTheRightSize) {
  const CutNetwork network(2, {});
  EXPECT_TRUE(network.legal({0, 1}));
  EXPECT_FALSE(network.legal({0}));
  EXPECT_FALSE(network.legal({0, 2}));
  EXPECT_FALSE(network.legal({-1, 0}));
}

TEST(CutNetwork, OneScratchServesManyGraphs) {
  Random random(5);
  CutNetwork::Scratch reused;
  for (Index trial = 0; trial < 30; ++trial) {
    const Index num_nodes = 1 + random.below(9);
    const std::vector<NodePair> edges = draw_edges(num_nodes, random);
    const CutNetwork network(num_nodes, edges);
    const std::vector<double> s = draw_submodular(network, Scores::kSmall, random);
    CutNetwork::Scratch fresh;
    CutNetwork::Output y, again;
    EXPECT_EQ(network.maximize(s, fresh, y), network.maximize(s, reused, again));
    EXPECT_EQ(y, again);
    std::vector<double> z(s.size()), z_again(s.size());
    network.project(s, fresh, z);
    network.project(s, reused, z_again);
    EXPECT_EQ(z, z_again);
  }
}

}  // namespace
}  // namespace trellis
