#include "trellis/solve/matchings/fertility_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/matchings/k_best_fertility.h"

namespace trellis {
namespace {

struct FlowCase {
  Index rows, columns, most_links;
  std::vector<Index> begin = {0};
  std::vector<std::uint32_t> column;
  std::vector<double> edges, fertilities;

  FlowCase(Index num_rows, Index num_columns, Index most, double density, bool ties, Random& random)
      : rows(num_rows), columns(num_columns), most_links(most) {
    const auto draw = [&] {
      return ties ? static_cast<double>(random.below(7)) - 2 : random.normal() + 0.5;
    };
    for (Index i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        if (random.uniform() >= density) continue;
        column.push_back(j);
        edges.push_back(draw());
      }
      begin.push_back(column.size());
    }
    for (Index node = 0; node < rows + columns; ++node) {
      double total = 0;
      for (Index d = 2; d <= most; ++d) {
        fertilities.push_back(total -= std::abs(draw()) / (ties ? 1 : 4));
      }
    }
  }
  FertilityProblem problem() const {
    return {{rows, columns, begin, column}, most_links, edges, fertilities};
  }
};

// Σ_e max(0, s_e − u_i − v_k) + Σ_n f*_n, an upper bound of all scores whatever the prices.
double dual_value(const FertilityProblem& problem, std::span<const double> prices) {
  double value = 0;
  for (Index i = 0; i < problem.graph.rows; ++i) {
    for (Index e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e) {
      const double price = prices[i] + prices[problem.graph.rows + problem.graph.column[e]];
      value += std::max(0.0, problem.edges[e] - price);
    }
  }
  for (Index node = 0; node < problem.num_nodes(); ++node) {
    double best = 0, sum = 0;
    for (Index d = 1; d <= problem.most_links; ++d) {
      sum += prices[node] + problem.fertility(node, d);
      best = std::max(best, sum);
    }
    value += best;
  }
  return value;
}

TEST(FertilityFlow, PricesProveTheOptimum) {
  Random random(1);
  FertilityFlow flow;
  for (Index trial = 0; trial < 400; ++trial) {
    const bool ties = trial % 2 == 0;
    const FlowCase one(random.below(30), random.below(30), 1 + random.below(5),
                       0.05 + random.uniform(), ties, random);
    flow.solve(one.problem());
    EXPECT_NEAR(flow.score(), dual_value(one.problem(), flow.prices()), ties ? 0 : 1e-10);
    for (const double price : flow.prices()) EXPECT_GE(price, -1e-12);
  }
}

// The best link set with an edge otherwise, and those before it as they are, is that of a problem
// in which their scores leave no choice.
TEST(FertilityFlow, ExchangesLoseNoMoreThanTheyMust) {
  Random random(2);
  FertilityFlow flow, forced;
  constexpr double kForce = 1 << 20;
  for (Index trial = 0; trial < 100; ++trial) {
    FlowCase one(1 + random.below(8), 1 + random.below(8), 1 + random.below(3), 0.6, true, random);
    flow.solve(one.problem());
    const double best = flow.score();
    const std::vector<std::uint8_t> taken(flow.taken().begin(), flow.taken().end());
    const std::vector<double> prices(flow.prices().begin(), flow.prices().end());
    for (Index edge = 0; edge < taken.size(); ++edge) {
      FlowCase other = one;
      Index kept = 0;
      for (Index e = 0; e <= edge; ++e) {
        const bool wanted = (taken[e] != 0) != (e == edge);
        other.edges[e] += wanted ? kForce : -kForce;
        kept += wanted ? 1 : 0;
      }
      forced.solve(other.problem());
      bool possible = true;  // unless a node would have too many links
      for (Index e = 0; e <= edge; ++e) {
        possible = possible && (forced.taken()[e] != 0) == ((taken[e] != 0) != (e == edge));
      }
      flow.resume(one.problem(), taken, prices);
      ASSERT_EQ(flow.find_exchange(edge, FertilityFlow::kInfinity), possible);
      if (!possible) continue;
      const double expected = forced.score() - kForce * static_cast<double>(kept);
      ExactSum sum;
      flow.add_score(sum);
      flow.add_exchange(edge, sum);
      EXPECT_EQ(sum.value(), expected);
      EXPECT_FALSE(flow.find_exchange(edge, best - expected));
      ASSERT_TRUE(flow.find_exchange(edge, best - expected + 1));
      flow.make_exchange(edge);
      EXPECT_EQ(flow.score(), expected);
    }
  }
}

TEST(KBestFertility, IsTheBeginningOfALongerList) {
  Random random(3);
  KBestFertility solver;
  std::vector<KBestFertility::Result> some, more;
  for (Index trial = 0; trial < 20; ++trial) {
    const FlowCase one(12, 12, 3, 0.4, false, random);
    solver.solve(one.problem(), 100, more);
    solver.solve(one.problem(), 10, some);
    ASSERT_EQ(more.size(), 100u);
    ASSERT_EQ(some.size(), 10u);
    for (Index i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].edges, more[i].edges);
  }
}

}  // namespace
}  // namespace trellis
