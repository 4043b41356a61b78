#include "trellis/solve/factors/belief_propagation.h"

#include <gtest/gtest.h>

#include "tests/solve/factors/random_factor_graphs.h"

namespace trellis {
namespace {

using random_graphs::Cycles;
using random_graphs::enumerate_sums;
using random_graphs::random_graph;
using random_graphs::Sums;

constexpr MessageSchedule kSchedules[] = {MessageSchedule::kFlooding, MessageSchedule::kSweep,
                                          MessageSchedule::kResidual};

void check_exact(const FactorGraphLayout& graph, const std::vector<double>& s,
                 BeliefPropagation& beliefs) {
  const Sums sums = enumerate_sums(graph, s);
  std::vector<double> marginals(graph.num_parts());
  for (const MessageSchedule schedule : kSchedules) {
    SCOPED_TRACE(to_string(schedule));
    BeliefOptions options;
    options.schedule = schedule;
    const double value = beliefs.log_sum(graph, s, options, marginals);
    if (sums.best.empty()) {
      EXPECT_EQ(value, -kInfinity);
      continue;
    }
    EXPECT_TRUE(beliefs.convergence().converged);
    const double tolerance = 1e-10 + 1e-13 * sums.magnitude;
    ASSERT_NEAR(value, static_cast<double>(sums.log_sum), tolerance);
    for (Index p = 0; p < s.size(); ++p) {
      EXPECT_NEAR(marginals[p], static_cast<double>(sums.marginals[p]), tolerance) << p;
    }
    EXPECT_NEAR(beliefs.entropy(graph, s, options), static_cast<double>(sums.entropy), tolerance);
  }
}

TEST(BeliefPropagation, IsExactWithoutCycles) {
  Random random(11);
  BeliefPropagation beliefs;
  for (Index trial = 0; trial < 12; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kNone, 1 + random.below(6), 6, random);
    for (const double scale : {0.01, 1.0, 30.0, 1e3, 1e6}) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << " scale " << scale);
      check_exact(graph, random_graphs::draw_scores(graph.num_parts(), scale, random), beliefs);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(BeliefPropagation, GivesBeliefsOnAnyGraph) {
  Random random(12);
  BeliefPropagation beliefs;
  for (Index trial = 0; trial < 200; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 1 + random.below(8), 7, random);
    std::vector<double> marginals(graph.num_parts());
    for (const double scale : {0.01, 1.0, 1e3, 1e9}) {
      const auto s = random_graphs::draw_scores(graph.num_parts(), scale, random);
      for (const MessageSchedule schedule : kSchedules) {
        BeliefOptions options;
        options.schedule = schedule;
        options.max_iterations = 20;
        options.damping = 0.3;
        const double value = beliefs.log_sum(graph, s, options, marginals);
        EXPECT_FALSE(std::isnan(value));
        EXPECT_LE(beliefs.convergence().iterations, 20U);
        for (const double p : marginals) EXPECT_TRUE(p >= 0 && p <= 1 + 1e-4) << p;
      }
    }
  }
}

// The fixed point does not depend on how it was reached: an attractive cycle of four.
TEST(BeliefPropagation, AgreesWithItselfUnderDampingAndSchedules) {
  FactorGraphBuilder builder;
  std::vector<std::uint32_t> states;
  for (Index i = 0; i < 4; ++i) states.push_back(builder.state(builder.add_switch()));
  for (Index i = 0; i < 4; ++i) builder.add_pair(states[i], states[(i + 1) % 4]);
  const FactorGraphLayout graph = builder.build();
  const std::vector<double> s = {0.3, -0.7, 0.2, -0.4, 1.0, 0.5, 0.8, 0.6};
  BeliefPropagation beliefs;
  std::vector<double> marginals(graph.num_parts());
  const double value = beliefs.log_sum(graph, s, {}, marginals);
  EXPECT_TRUE(beliefs.convergence().converged);
  EXPECT_NEAR(value, static_cast<double>(enumerate_sums(graph, s).log_sum), 0.05);
  for (const MessageSchedule schedule : kSchedules) {
    for (const double damping : {0.0, 0.5}) {
      BeliefOptions options;
      options.schedule = schedule;
      options.damping = damping;
      EXPECT_NEAR(beliefs.log_sum(graph, s, options, marginals), value, 1e-8);
      EXPECT_TRUE(beliefs.convergence().converged);
    }
  }
}

TEST(BeliefPropagation, SeesThatNothingIsLegal) {
  FactorGraphBuilder builder;
  const std::uint32_t a = builder.state(builder.add_switch());
  const std::uint32_t b = builder.state(builder.add_switch());
  builder.add_one_of(std::vector<Literal>{{a}});
  builder.add_one_of(std::vector<Literal>{{a}, {b}});
  builder.add_one_of(std::vector<Literal>{{b}});
  const FactorGraphLayout graph = builder.build();
  BeliefPropagation beliefs;
  std::vector<double> marginals(graph.num_parts());
  for (const double scale : {1.0, 1e6}) {
    const std::vector<double> s = {scale, -scale};
    EXPECT_EQ(beliefs.log_sum(graph, s, {}, marginals), -kInfinity);
    EXPECT_EQ(marginals, (std::vector<double>{0, 0}));
  }
}

}  // namespace
}  // namespace trellis
