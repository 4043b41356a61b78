#include "trellis/solve/flows/contracted_tension.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

ContractedTension draw_problem(Index groups, Random& random) {
  ContractedTension problem;
  for (Index c = 0; c < groups; ++c) {
    problem.weight.push_back(1 + 10 * random.uniform());
    problem.moment.push_back(problem.weight[c] * (0.5 + random.normal()));
  }
  for (Index e = 0; e < 3 * groups; ++e) {
    const auto c = static_cast<std::uint32_t>(random.below(groups));
    const auto d = static_cast<std::uint32_t>(random.below(groups - 1));
    const double slack = random.below(2) == 0 ? 0 : 0.3 * random.uniform();
    const double pull = slack > 0 ? 0 : random.normal();
    problem.edges.push_back({c, d < c ? d : d + 1, pull, slack});
  }
  return problem;
}

double objective(const ContractedTension& problem, const std::vector<double>& x) {
  double sum = 0;
  for (Index c = 0; c < x.size(); ++c) {
    sum += x[c] * (0.5 * problem.weight[c] * x[c] - problem.moment[c]);
  }
  for (const ContractedTension::Edge& e : problem.edges) {
    const double t = x[e.c] - x[e.d];
    const double excess = std::max(0.0, std::abs(t) - e.slack);
    sum += e.pull * t + 0.5 * excess * excess;
  }
  return sum;
}

// The problem is convex and smooth, so what no single group can improve is the minimum.
TEST(ContractedTension, NoGroupCanImproveTheMinimum) {
  Random random(1);
  for (Index trial = 0; trial < 200; ++trial) {
    const Index groups = 2 + random.below(40);
    ContractedTension problem = draw_problem(groups, random);
    std::vector<double> x(groups);
    for (double& value : x) value = random.uniform();
    EXPECT_LE(problem.minimize(x, 1e-12), 1e-12);
    const double best = objective(problem, x);
    for (Index c = 0; c < groups; ++c) {
      ASSERT_TRUE(x[c] >= 0 && x[c] <= 1);
      for (const double step : {-1e-3, 1e-3}) {
        std::vector<double> moved = x;
        moved[c] = std::clamp(x[c] + step, 0.0, 1.0);
        EXPECT_GE(objective(problem, moved), best);
      }
    }
  }
}

TEST(ContractedTension, TheMinimumDoesNotDependOnTheStart) {
  Random random(2);
  for (Index trial = 0; trial < 50; ++trial) {
    const Index groups = 2 + random.below(40);
    ContractedTension problem = draw_problem(groups, random);
    std::vector<double> low(groups, 0.0), high(groups, 1.0);
    problem.minimize(low, 1e-13);
    problem.minimize(high, 1e-13);
    for (Index c = 0; c < groups; ++c) EXPECT_NEAR(low[c], high[c], 1e-12);
  }
}

TEST(ContractedTension, OneGroupGoesToItsMeanOrToTheBound) {
  ContractedTension problem;
  problem.weight = {2, 4, 5};
  problem.moment = {1, 8, -3};
  std::vector<double> x(3, 0.5);
  EXPECT_EQ(problem.minimize(x, 0), 0);
  EXPECT_EQ(x, (std::vector<double>{0.5, 1, 0}));
}

}  // namespace
}  // namespace trellis
