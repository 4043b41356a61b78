#include "trellis/structure/matchings/covering_matching.h"

#include <gtest/gtest.h>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"
#include "trellis/structure/monte_carlo.h"

namespace trellis {
namespace {

using namespace conformance;
using Edge = MatchingEdges::Edge;

static_assert(KBest<CoveringMatching> && Summer<CoveringMatching> && Sampler<CoveringMatching> &&
              Projector<CoveringMatching> && SumEstimator<CoveringMatching>);

// Every output of a structure, by trying all that there could be.
std::vector<Matching::Output> all_outputs(const CoveringMatching& structure) {
  std::vector<Matching::Output> all;
  Matching::Output y(structure.num_left(), kNoLabel);
  const auto last = static_cast<Label>(structure.num_right()) - 1;
  while (true) {
    if (structure.legal(y)) all.push_back(y);
    Index i = 0;
    while (i < y.size() && y[i] == last) y[i++] = kNoLabel;
    if (i == y.size()) return all;
    ++y[i];
  }
}

std::vector<Edge> random_edges(Index num_left, Index num_right, double share, Random& random) {
  std::vector<Edge> edges;
  for (std::uint32_t j = 0; j < num_left; ++j) {
    for (std::uint32_t k = 0; k < num_right; ++k) {
      if (random.uniform() < share) edges.push_back({j, k});
    }
  }
  // Parts need not be in the order of the nodes.
  for (Index e = edges.size(); e > 1; --e) std::swap(edges[e - 1], edges[random.below(e)]);
  return edges;
}

TEST(CoveringMatching, EveryOperationEqualsEnumerationOnCompleteGraphs) {
  Random random(1);
  CoveringMatching::Scratch scratch;
  for (Index left = 1; left <= 5; ++left) {
    for (Index right = 1; right <= 5; ++right) {
      SCOPED_TRACE(std::to_string(left) + " by " + std::to_string(right));
      const CoveringMatching structure(left, right);
      const Enumeration<CoveringMatching> all(structure, all_outputs(structure));
      for (Index trial = 0; trial < 3; ++trial) check_conformance(all, scratch, random);
      check_gradient(structure, draw_scores(Scores::kSmall, structure.num_parts(), random),
                     scratch);
      check_outputs_are_feasible(all);
      if (HasFailure()) return;
    }
  }
}

TEST(CoveringMatching, EveryOperationEqualsEnumerationOnSparseGraphs) {
  Random random(2);
  CoveringMatching::Scratch scratch;
  for (Index trial = 0; trial < 120; ++trial) {
    const Index left = 1 + random.below(5);
    const Index right = 1 + random.below(5);
    SCOPED_TRACE(std::to_string(left) + " by " + std::to_string(right));
    const auto edges = random_edges(left, right, trial % 2 == 0 ? 0.7 : 0.4, random);
    const MatchingEdges graph(left, right, edges);
    const CoveringMatching structure(left, right, &graph);
    const Enumeration<CoveringMatching> all(structure, all_outputs(structure));
    check_conformance(all, scratch, random);
    if (!all.outputs.empty() && structure.num_parts() > 0) {
      check_gradient(structure, draw_scores(Scores::kSmall, structure.num_parts(), random),
                     scratch);
    }
    if (HasFailure()) return;
  }
}

TEST(CoveringMatching, SamplesHaveTheirProbabilities) {
  Random random(3);
  CoveringMatching::Scratch scratch;
  const CoveringMatching wide(2, 4);
  check_samples(Enumeration<CoveringMatching>(wide, all_outputs(wide)),
                draw_scores(Scores::kSmall, 8, random), 20000, random, scratch);
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}, {2, 2}, {3, 1}};
  const MatchingEdges graph(4, 3, edges);
  const CoveringMatching sparse(4, 3, &graph);
  check_samples(Enumeration<CoveringMatching>(sparse, all_outputs(sparse)),
                draw_scores(Scores::kSmall, edges.size(), random), 20000, random, scratch);
}

TEST(CoveringMatching, EstimatesTheSumBesideItsDraws) {
  Random random(4);
  CoveringMatching::Scratch scratch;
  const CoveringMatching structure(3, 5);
  const std::vector<double> s = draw_scores(Scores::kSmall, 15, random);
  std::vector<Matching::Output> drawn;
  const LogSumEstimate estimate = structure.sample_and_estimate(s, 10, random, scratch, drawn);
  EXPECT_NEAR(estimate.value, structure.log_partition(s, scratch), 1e-12);
  ASSERT_EQ(drawn.size(), 10U);
  for (const Matching::Output& y : drawn) EXPECT_TRUE(structure.legal(y));
  const std::vector<Edge> edges = {{0, 0}, {1, 0}};
  const MatchingEdges graph(2, 2, edges);
  EXPECT_THROW(CoveringMatching(2, 2, &graph)
                   .sample_and_estimate(std::vector<double>(2), 1, random, scratch, drawn),
               UsageError);
}

TEST(CoveringMatching, RefusesEdgesOfAnotherGraph) {
  const std::vector<Edge> edges = {{0, 0}};
  const MatchingEdges graph(2, 2, edges);
  EXPECT_THROW(CoveringMatching(2, 3, &graph), UsageError);
}

TEST(CoveringMatching, HasSumsUpToTheLimitOfPermutations) {
  EXPECT_TRUE(CoveringMatching(3, 24).has_sums());
  EXPECT_FALSE(CoveringMatching(3, 25).has_sums());
}

}  // namespace
}  // namespace trellis
