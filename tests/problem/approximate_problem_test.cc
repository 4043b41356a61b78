// Losses of sums that are bounds or estimates: what their oracles promise, and what they do not.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/problem/fixed_sums.h"
#include "tests/problem/oracle_conformance.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/base/error.h"
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

// The loss of an example whose output scores `score`, as the second of two.
template <Standing standing>
double loss_of(double log_sum, double score = 1) {
  const auto model = fixed_sums<standing>({2, log_sum});
  return value_at(SmoothProblem<BlockModel<FixedSum<standing>>>(model), 1, {score});
}

// A bound that is broken, or an estimate that is bad, shows; the rounding of an exact sum does not.
TEST(ApproximateProblem, OnlyLossesOfExactSumsAreKeptFromBelowZero) {
  EXPECT_EQ(loss_of<Standing::kExact>(1 - 1e-12), 0);
  EXPECT_EQ(loss_of<Standing::kUpperBound>(0.25), -0.75);
  EXPECT_EQ(loss_of<Standing::kNeither>(0.25), -0.75);
}

template <Standing standing>
void expect_nothing_legal_is_refused() {
  try {
    loss_of<standing>(kImpossible);
    FAIL() << "expected a UsageError";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("example 1"), std::string::npos) << error.what();
  }
  // Weights that have run away are for the learner to see.
  EXPECT_TRUE(std::isnan(loss_of<standing>(std::nan(""), std::nan(""))));
}

TEST(ApproximateProblem, AnExampleWithoutALegalOutputIsRefusedByItsNumber) {
  expect_nothing_legal_is_refused<Standing::kExact>();
  expect_nothing_legal_is_refused<Standing::kUpperBound>();
  expect_nothing_legal_is_refused<Standing::kNeither>();
}

}  // namespace
}  // namespace trellis::testing
