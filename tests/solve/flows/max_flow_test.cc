#include "trellis/solve/flows/max_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

struct Network {
  Index num_nodes = 0;
  std::vector<NodePair> edges;
  std::vector<double> supply, forward, backward;
};

enum class Values { kReal, kInteger, kWide };

double draw_value(Values values, Random& random) {
  switch (values) {
    case Values::kReal:
      return random.uniform();
    case Values::kInteger:
      return static_cast<double>(random.below(4));
    case Values::kWide:
      return std::pow(10.0, 12 * random.uniform() - 6);
  }
  return 0;
}

// Duplicate edges and nodes without edges come by themselves.
Network draw_network(Index num_nodes, Index num_edges, Values values, Random& random) {
  Network network;
  network.num_nodes = num_nodes;
  for (Index j = 0; j < num_nodes; ++j) {
    network.supply.push_back((random.below(2) == 0 ? 1 : -1) * draw_value(values, random));
  }
  for (Index e = 0; num_nodes > 1 && e < num_edges; ++e) {
    const auto j = static_cast<std::uint32_t>(random.below(num_nodes));
    const auto k = static_cast<std::uint32_t>(random.below(num_nodes - 1));
    network.edges.push_back({j, k < j ? k : k + 1});
    network.forward.push_back(random.below(4) == 0 ? 0 : draw_value(values, random));
    network.backward.push_back(random.below(4) == 0 ? 0 : draw_value(values, random));
  }
  return network;
}

double solve(const Network& network, MaxFlow& flow) {
  flow.set_graph(network.num_nodes, network.edges);
  return flow.solve(network.supply, network.forward, network.backward);
}

long double cost(const Network& network, std::uint32_t ones) {
  long double sum = 0;
  const auto side = [&](std::uint32_t j) { return (ones >> j & 1) != 0; };
  for (std::uint32_t j = 0; j < network.num_nodes; ++j) {
    const double supply = network.supply[j];
    if (side(j) != (supply > 0)) sum += std::abs(supply);
  }
  for (Index e = 0; e < network.edges.size(); ++e) {
    const NodePair edge = network.edges[e];
    if (side(edge.j) && !side(edge.k)) sum += network.forward[e];
    if (!side(edge.j) && side(edge.k)) sum += network.backward[e];
  }
  return sum;
}

std::uint32_t source_side(const MaxFlow& flow) {
  std::uint32_t ones = 0;
  for (std::uint32_t j = 0; j < flow.num_nodes(); ++j) {
    if (flow.on_source_side(j)) ones |= 1u << j;
  }
  return ones;
}

// From the source to the sink: what was supplied and did not get stuck.
double flow_value(const Network& network, const MaxFlow& flow) {
  double sum = 0;
  for (Index j = 0; j < flow.num_nodes(); ++j) {
    sum += std::max(0.0, network.supply[j]) - std::max(0.0, flow.excess(j));
  }
  return sum;
}

TEST(MaxFlow, FindsTheSmallestOfTheMinimumCuts) {
  Random random(1);
  MaxFlow flow;
  for (Index trial = 0; trial < 3000; ++trial) {
    const auto values = static_cast<Values>(random.below(3));
    const Network network = draw_network(1 + random.below(8), random.below(20), values, random);
    const double value = solve(network, flow);
    long double best = cost(network, 0);
    for (std::uint32_t ones = 0; ones < 1u << network.num_nodes; ++ones) {
      best = std::min(best, cost(network, ones));
    }
    const std::uint32_t found = source_side(flow);
    ASSERT_NEAR(value, static_cast<double>(best), 1e-14 * static_cast<double>(best));
    ASSERT_NEAR(value, static_cast<double>(cost(network, found)), 1e-14 * value);
    if (values != Values::kInteger) continue;
    for (std::uint32_t ones = 0; ones < 1u << network.num_nodes; ++ones) {
      if (cost(network, ones) == best) {
        ASSERT_EQ(found & ~ones, 0u);
      }
    }
  }
}

TEST(MaxFlow, FlowIsAsLargeAsTheCut) {
  Random random(2);
  MaxFlow flow;
  for (Index trial = 0; trial < 20; ++trial) {
    const Network network = draw_network(500, 2000, Values::kReal, random);
    const double value = solve(network, flow);
    double total = 0, excess = 0;
    for (Index j = 0; j < network.num_nodes; ++j) {
      total += network.supply[j];
      excess += flow.excess(j);
      // What can go on to the sink does not get stuck.
      EXPECT_TRUE(flow.excess(j) <= 1e-14 || flow.on_source_side(j));
      EXPECT_TRUE(flow.excess(j) >= -1e-14 || flow.on_sink_side(j));
    }
    EXPECT_NEAR(total, excess, 1e-11);
    EXPECT_NEAR(flow_value(network, flow), value, 1e-11);
  }
}

TEST(MaxFlow, GridOfNoiseHasFlowAsLargeAsItsCut) {
  constexpr std::uint32_t kSide = 60;
  Random random(3);
  Network network;
  network.num_nodes = kSide * kSide;
  for (std::uint32_t j = 0; j < network.num_nodes; ++j) {
    network.supply.push_back(random.normal());
    if (j % kSide + 1 < kSide) network.edges.push_back({j, j + 1});
    if (j + kSide < network.num_nodes) network.edges.push_back({j + kSide, j});
  }
  MaxFlow flow;
  for (const double potts : {0.1, 0.5, 1.0, 5.0, 1e6}) {
    network.forward.assign(network.edges.size(), potts);
    network.backward.assign(network.edges.size(), potts);
    const double value = solve(network, flow);
    EXPECT_NEAR(flow_value(network, flow), value, 1e-9 + 1e-14 * potts * kSide * kSide);
  }
}

// Path by path this would take n²/2 steps.
TEST(MaxFlow, LongChainsAreCutAsWell) {
  constexpr std::uint32_t kLength = 30000;
  Random random(6);
  Network network;
  network.num_nodes = kLength;
  for (std::uint32_t j = 0; j < kLength; ++j) {
    network.supply.push_back(random.uniform());
    if (j > 0) network.edges.push_back({j - 1, j});
  }
  network.supply.back() = -static_cast<double>(kLength);
  network.forward.assign(network.edges.size(), static_cast<double>(kLength));
  network.backward = network.forward;
  network.forward[kLength / 3] = 100;
  network.backward[kLength / 3] = 0;
  MaxFlow flow;
  const double value = solve(network, flow);
  EXPECT_NEAR(flow_value(network, flow), value, 1e-8);
  for (std::uint32_t j = 0; j < kLength; ++j) {
    EXPECT_EQ(flow.on_source_side(j), j <= kLength / 3) << j;
  }
}

TEST(MaxFlow, TheSameGraphAgainGivesTheSameCut) {
  Random random(4);
  MaxFlow reused;
  for (Index trial = 0; trial < 50; ++trial) {
    const Network network = draw_network(2 + random.below(30), 60, Values::kReal, random);
    MaxFlow fresh;
    const double value = solve(network, fresh);
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(solve(network, reused), value);
      for (Index j = 0; j < network.num_nodes; ++j) {
        EXPECT_EQ(reused.on_source_side(j), fresh.on_source_side(j));
      }
    }
  }
}

TEST(MaxFlow, SuppliesThatTowerOverTheRestDoNotDrownIt) {
  MaxFlow flow;
  const std::vector<NodePair> edges = {{0, 1}, {2, 3}};
  const std::vector<double> capacity = {1e-9, 1e9};
  flow.set_graph(5, edges);
  flow.solve(std::vector<double>{-1e300, 2e-9, 1e8, -2e8, 1e-200}, capacity, capacity);
  EXPECT_FALSE(flow.on_source_side(0));
  EXPECT_TRUE(flow.on_source_side(1));  // 2e-9 of its own against an edge of 1e-9
  EXPECT_FALSE(flow.on_source_side(2));
  EXPECT_FALSE(flow.on_source_side(3));
  EXPECT_TRUE(flow.on_source_side(4));
}

TEST(MaxFlow, NothingToCutCostsNothing) {
  MaxFlow flow;
  flow.set_graph(0, {});
  EXPECT_EQ(flow.solve({}, {}, {}), 0);
  flow.set_graph(2, {});
  EXPECT_EQ(flow.solve(std::vector<double>{3, -2}, {}, {}), 0);
  EXPECT_TRUE(flow.on_source_side(0));
  EXPECT_FALSE(flow.on_source_side(1));
}

TEST(MaxFlow, RefusesWhatIsNoNetwork) {
  MaxFlow flow;
  EXPECT_THROW(flow.set_graph(2, std::vector<NodePair>{{1, 1}}), UsageError);
  EXPECT_THROW(flow.set_graph(2, std::vector<NodePair>{{0, 2}}), UsageError);
  flow.set_graph(2, std::vector<NodePair>{{0, 1}});
  const std::vector<double> one = {1};
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(flow.solve(std::vector<double>{1, -1}, std::vector<double>{bad}, one), UsageError);
    EXPECT_THROW(flow.solve(std::vector<double>{1, -1}, one, std::vector<double>{bad}), UsageError);
  }
  EXPECT_THROW(flow.solve(std::vector<double>{1, std::nan("")}, one, one), UsageError);
}

}  // namespace
}  // namespace trellis
