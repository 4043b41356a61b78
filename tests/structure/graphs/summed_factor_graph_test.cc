// Sums over factor graphs that are estimates, and those that are bounds.
#include <gtest/gtest.h>

#include "tests/solve/factors/random_factor_graphs.h"
#include "tests/structure/structure_conformance.h"
#include "trellis/structure/graphs/belief_factor_graph.h"
#include "trellis/structure/graphs/reweighted_factor_graph.h"

namespace trellis::random_graphs {
namespace {

using conformance::Enumeration;

// Without cycles both are what the conformance suite asks of sums.
TEST(SummedFactorGraphs, AreExactWithoutCycles) {
  Random random(41);
  BeliefFactorGraph::Scratch beliefs;
  ReweightedFactorGraph::Scratch reweighted;
  for (Index trial = 0; trial < 25; ++trial) {
    const FactorGraphLayout layout = random_graph(Cycles::kNone, 1 + random.below(5), 5, random);
    const ForestCover cover(layout);
    const BeliefFactorGraph estimate(layout);
    const ReweightedFactorGraph bound(cover);
    const std::vector<Values> legal = legal_assignments(layout);
    const Enumeration<BeliefFactorGraph> all(estimate, legal);
    const Enumeration<ReweightedFactorGraph> all_bound(bound, legal);
    const auto s = draw_scores(layout.num_parts(), 1, random);
    std::vector<double> marginals(s.size());
    const conformance::Reference reference = conformance::enumerate(all, s);
    if (legal.empty()) {
      EXPECT_EQ(estimate.log_partition(s, beliefs, marginals), kImpossible);
      EXPECT_EQ(bound.log_partition(s, reweighted, marginals), kImpossible);
      continue;
    }
    EXPECT_NEAR(estimate.log_partition(s, beliefs, marginals),
                static_cast<double>(reference.log_partition), 1e-9);
    EXPECT_NEAR(bound.log_partition(s, reweighted, marginals),
                static_cast<double>(reference.log_partition), 1e-9);
    EXPECT_NEAR(estimate.entropy(s, beliefs), static_cast<double>(reference.entropy), 1e-9);
    EXPECT_NEAR(bound.entropy(s, reweighted), static_cast<double>(reference.entropy), 1e-9);
    conformance::check_outputs_are_feasible(all);
    conformance::check_outputs_are_feasible(all_bound);
  }
}

// For losses: the bound less the score of any output is never negative.
TEST(SummedFactorGraphs, ABoundIsAboveAllScores) {
  Random random(42);
  ReweightedFactorGraph::Scratch scratch;
  for (Index trial = 0; trial < 60; ++trial) {
    const FactorGraphLayout layout = random_graph(Cycles::kAny, 2 + random.below(6), 5, random);
    const ForestCover cover(layout);
    const std::vector<Values> legal = legal_assignments(layout);
    std::vector<double> marginals(layout.num_parts());
    for (const double scale : {0.01, 1.0, 1e3}) {
      const auto s = draw_scores(layout.num_parts(), scale, random);
      for (const Index evaluations : {1, 8}) {
        const ReweightedFactorGraph structure(cover, {evaluations, 1e-3});
        const double value = structure.log_partition(s, scratch, marginals);
        for (const Values& y : legal) EXPECT_GE(value, structure.score(s, y) - 1e-9 * scale);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::random_graphs
