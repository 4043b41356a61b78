#include "trellis/solve/flows/tension_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

struct Instance {
  Index num_nodes = 0;
  std::vector<NodePair> edges;
  std::vector<double> a, v, edge_v;
};

struct Projected {
  std::vector<double> z;
  TensionSummary summary;
  double residual = 0;  // by a flow of its own
};

Projected project(const Instance& instance) {
  TensionProjection projection;
  Projected result;
  result.z.resize(instance.num_nodes);
  projection.set_graph(instance.num_nodes, instance.edges);
  result.summary = projection.project(instance.a, instance.v, instance.edge_v, result.z);
  result.residual = projection.residual(instance.a, instance.v, instance.edge_v, result.z);
  for (const double z : result.z) {
    EXPECT_GE(z, 0);
    EXPECT_LE(z, 1);
  }
  return result;
}

// Duplicate edges, isolated nodes and pieces come by themselves.
Instance draw_graph(Index num_nodes, Random& random) {
  Instance instance;
  instance.num_nodes = num_nodes;
  instance.a.assign(num_nodes, 1);
  const Index num_edges = random.below(3 * num_nodes);
  for (Index e = 0; e < num_edges; ++e) {
    const auto j = static_cast<std::uint32_t>(random.below(num_nodes));
    const auto k = static_cast<std::uint32_t>(random.below(num_nodes - 1));
    instance.edges.push_back({j, k < j ? k : k + 1});
  }
  if (random.below(2) == 0) {
    for (const NodePair edge : instance.edges) {
      instance.a[edge.j] += 1;
      instance.a[edge.k] += 1;
    }
  }
  return instance;
}

void draw_values(Instance& instance, double node_spread, double edge_shift, double edge_spread,
                 bool whole, Random& random) {
  const auto draw = [&](double shift, double spread) {
    const double value = shift + spread * random.normal();
    return whole ? std::round(value) : value;
  };
  instance.v.clear();
  instance.edge_v.clear();
  for (Index j = 0; j < instance.num_nodes; ++j) instance.v.push_back(draw(0.5, node_spread));
  for (Index e = 0; e < instance.edges.size(); ++e) {
    instance.edge_v.push_back(draw(edge_shift, edge_spread));
  }
}

TEST(TensionProjection, RandomGraphsAreSolvedToRounding) {
  Random random(1);
  for (Index trial = 0; trial < 1500; ++trial) {
    Instance instance = draw_graph(2 + random.below(60), random);
    const double large = random.below(8) == 0 ? 1e6 : 1;
    const double node_spread = large * std::pow(10, 2 * random.uniform() - 1);
    const double edge_spread = large * std::pow(10, 3 * random.uniform() - 2);
    const double edge_shift = large * (2 * random.uniform() - 1.3);
    draw_values(instance, node_spread, edge_shift, edge_spread, random.below(4) == 0, random);
    const Projected result = project(instance);
    EXPECT_LT(result.residual, 1e-10) << "trial " << trial;
    EXPECT_LT(result.summary.residual, 1e-10);
    EXPECT_LE(result.summary.rounds, 30u);
  }
}

// What learning asks for: labels that have drifted, edges that pull together.
TEST(TensionProjection, GridsOfDriftingLabelsAreSolvedToRounding) {
  constexpr std::uint32_t kWidth = 48, kHeight = 36;
  Random random(2);
  Instance instance;
  instance.num_nodes = kWidth * kHeight;
  for (std::uint32_t j = 0; j < instance.num_nodes; ++j) {
    if (j % kWidth + 1 < kWidth) instance.edges.push_back({j, j + 1});
    if (j + kWidth < instance.num_nodes) instance.edges.push_back({j + kWidth, j});
  }
  instance.a.assign(instance.num_nodes, 1);
  struct Drift {
    double node, shift, edge;
  };
  for (const Drift drift : {Drift{0.3, -1, 0.5}, Drift{1, -0.1, 0.1}, Drift{1, -1, 1},
                            Drift{3, -5, 3}, Drift{0.5, 0, 0.05}, Drift{100, -100, 50}}) {
    draw_values(instance, drift.node, drift.shift, drift.edge, false, random);
    const Projected result = project(instance);
    EXPECT_LT(result.residual, 1e-10);
    EXPECT_LE(result.summary.rounds, 30u);
  }
}

TEST(TensionProjection, OneEdgeIsSolvedByHand) {
  Instance instance = {2, {{0, 1}}, {1, 1}, {1, 0}, {0}};
  // The flow f on the edge leaves z = (1 − f, f); it is w + t where the edge is stretched.
  for (const double w : {0.0, 0.1, 0.4, 0.5, 0.6, 100.0}) {
    instance.edge_v = {-w};
    const double f = std::min(0.5, (w + 1) / 3);
    const Projected result = project(instance);
    EXPECT_NEAR(result.z[0], 1 - f, 1e-15);
    EXPECT_NEAR(result.z[1], f, 1e-15);
  }
  for (const double d : {0.0, 0.25, 1.0, 7.0}) {
    instance.edge_v = {d};
    const double f = std::max(0.0, (1 - d) / 3);
    const Projected result = project(instance);
    EXPECT_NEAR(result.z[0], 1 - f, 1e-15);
    EXPECT_NEAR(result.z[1], f, 1e-15);
  }
}

TEST(TensionProjection, StrongEdgesFuseToTheBitAndToTheWeightedMean) {
  Random random(3);
  Instance instance;
  instance.num_nodes = 200;
  for (std::uint32_t j = 1; j < 200; ++j) {
    instance.edges.push_back({j, static_cast<std::uint32_t>(random.below(j))});
  }
  double sum = 0, weight = 0;
  for (Index j = 0; j < 200; ++j) {
    instance.a.push_back(1 + random.uniform());
    instance.v.push_back(random.uniform());
    sum += instance.a[j] * instance.v[j];
    weight += instance.a[j];
  }
  instance.edge_v.assign(instance.edges.size(), -1e3);
  const Projected result = project(instance);
  for (const double z : result.z) EXPECT_EQ(z, result.z[0]);
  EXPECT_NEAR(result.z[0], sum / weight, 1e-14);
}

TEST(TensionProjection, NodesWithoutEdgesAreClipped) {
  const Instance instance = {3, {}, {1, 1, 1}, {-2, 0.25, 5}, {}};
  EXPECT_EQ(project(instance).z, (std::vector<double>{0, 0.25, 1}));
  EXPECT_EQ(project({}).z, std::vector<double>{});
}

TEST(TensionProjection, HubOfManyEdgesIsSolved) {
  Random random(4);
  Instance instance;
  instance.num_nodes = 2000;
  for (std::uint32_t j = 1; j < 2000; ++j) instance.edges.push_back({0, j});
  instance.a.assign(2000, 1);
  draw_values(instance, 1, -0.2, 0.5, false, random);
  EXPECT_LT(project(instance).residual, 1e-10);
}

TEST(TensionProjection, ResidualSeesWhatIsNotOptimal) {
  Random random(5);
  for (Index trial = 0; trial < 100; ++trial) {
    Instance instance = draw_graph(2 + random.below(20), random);
    draw_values(instance, 1, -0.3, 1, false, random);
    TensionProjection projection;
    projection.set_graph(instance.num_nodes, instance.edges);
    std::vector<double> z(instance.num_nodes);
    projection.project(instance.a, instance.v, instance.edge_v, z);
    const Index j = random.below(instance.num_nodes);
    z[j] += z[j] < 0.5 ? 1e-6 : -1e-6;
    const double residual = projection.residual(instance.a, instance.v, instance.edge_v, z);
    EXPECT_GT(residual, 1e-9);
  }
}

}  // namespace
}  // namespace trellis
