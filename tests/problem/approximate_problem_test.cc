// Losses of sums that are bounds or estimates: what their oracles promise, and what they do not.
#include <gtest/gtest.h>

#include "tests/problem/oracle_conformance.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {
namespace {

using Estimated = SmoothProblem<BlockModel<BeliefFactorGraph>>;
using Bounded = SmoothProblem<BlockModel<ReweightedFactorGraph>>;

static_assert(std::derived_from<Estimated, ApproximateOracle>);
static_assert(!std::derived_from<Estimated, SmoothOracle> &&
              !std::derived_from<Estimated, ConvexOracle>);
static_assert(std::derived_from<Bounded, UpperBoundOracle> &&
              !std::derived_from<Bounded, ConvexOracle>);

TEST(ApproximateProblem, PiecesTouch) {
  const FactorGraphs graphs = random_rings(4, 3);
  const auto estimated = estimated_rings(graphs, 1);
  const auto bounded = bounded_rings(graphs, {20, 1e-3}, 1);
  expect_touching(Estimated(estimated), 2);
  expect_touching(Bounded(bounded, 2, 1), 3);
}

TEST(ApproximateProblem, ABoundThatConvergedHasAGradient) {
  const FactorGraphs graphs = random_rings(4, 3);
  const auto bounded = bounded_rings(graphs, {2000, 1e-8}, 4);
  expect_gradient(Bounded(bounded), 5);
}

// log Σ over all assignments, less the score of the true one.
double exact_loss(const BlockModel<ReweightedFactorGraph>& model, Index i,
                  const std::vector<double>& w) {
  const FactorGraphLayout& layout = model.structure(i).layout();
  std::vector<double> s(layout.num_parts());
  model.scores(i, w, s);
  std::vector<std::uint32_t> values(layout.num_variables());
  double total = 0;
  for (Index code = 0; code < Index{1} << values.size(); ++code) {
    for (Index v = 0; v < values.size(); ++v) {
      values[v] = static_cast<std::uint32_t>(code >> v & 1);
    }
    if (layout.legal(values)) total += std::exp(layout.score(s, values));
  }
  return std::log(total) - layout.score(s, model.gold(i));
}

TEST(ApproximateProblem, ABoundIsNeverBelowTheLoss) {
  const FactorGraphs graphs = random_rings(5, 3);
  Random random(6);
  for (const Index evaluations : {1, 3, 10, 60}) {
    const auto model = bounded_rings(graphs, {evaluations, 1e-3}, 7);
    const Bounded problem(model);
    for (Index trial = 0; trial < 20; ++trial) {
      const std::vector<double> w = random_weights(kRingFeatures, 2, random);
      for (Index i = 0; i < model.num_examples(); ++i) {
        EXPECT_GE(value_at(problem, i, w), exact_loss(model, i, w) - 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::testing
