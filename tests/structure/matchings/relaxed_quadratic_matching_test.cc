#include "trellis/structure/matchings/relaxed_quadratic_matching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/structure/matchings/quadratic_instance.h"
#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using conformance::QuadraticInstance;
using conformance::Scores;
using Edge = MatchingEdges::Edge;

TEST(RelaxedQuadraticMatching, TheBestPointIsThatOfTheLinearProgram) {
  Random random(1);
  RelaxedQuadraticMatching::Scratch scratch;
  RelaxedQuadraticMatching::Output y;
  for (Index trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE(trial);
    const QuadraticInstance instance(1 + random.below(5), 1 + random.below(5), 1 + random.below(3),
                                     random);
    const RelaxedQuadraticMatching structure(instance.structure());
    for (const Scores kind : conformance::kAllScores) {
      const std::vector<double> s = instance.scores(kind, random);
      const double value = structure.maximize(s, scratch, y);
      EXPECT_TRUE(structure.legal(y));
      EXPECT_EQ(structure.score(s, y), value);
      const LpSolution program = maximize_linear_program(structure.linear_program(), s);
      double size = 1;
      for (const double score : s) size += std::abs(score);
      EXPECT_NEAR(value, program.value, 1e-9 * size);
    }
  }
}

TEST(RelaxedQuadraticMatching, HalfEdgesMayBeBetterThanWholeOnes) {
  // A cycle of pairs through a square, where only two of its edges fit.
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const MatchingEdges graph(2, 2, edges);
  const std::vector<EdgePair> pairs = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const RelaxedQuadraticMatching structure(graph, 1, pairs);
  RelaxedQuadraticMatching::Scratch scratch;
  RelaxedQuadraticMatching::Output y;
  const std::vector<double> s(8, 1.0);
  EXPECT_NEAR(structure.maximize(s, scratch, y), 4, 1e-9);
  std::vector<double> z(8);
  const QuadraticMatching::Relaxation relaxed = structure.exact().relax(s, scratch.exact, z);
  EXPECT_EQ(relaxed.fractional_edges, 4U);
  EXPECT_EQ(relaxed.programs, 1U);
  QuadraticMatching::Output whole;
  EXPECT_EQ(structure.exact().maximize(s, scratch.exact, whole), 2);
}

TEST(RelaxedQuadraticMatching, ProgramsAreOfWhatSweepsLeaveOpen) {
  // The square of above beside edges that are alone, or in a chain of pairs: those need no Clp.
  std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  std::vector<EdgePair> pairs;
  for (std::uint32_t j = 2; j < 30; ++j) edges.push_back({j, j});
  for (std::uint32_t e = 4; e < 20; ++e) pairs.push_back({e, e + 1});
  const MatchingEdges graph(30, 30, edges);
  const QuadraticMatching without(graph, 1, pairs);
  QuadraticMatching::Scratch scratch;
  std::vector<double> s(without.num_parts(), 0.5), z(without.num_parts());
  for (std::uint32_t e = 4; e < 32; e += 3) s[e] = -0.75;  // its pairs pay for it, or nothing does
  EXPECT_EQ(without.relax(s, scratch, z).programs, 0U);

  pairs.insert(pairs.begin(), {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const QuadraticMatching with(graph, 1, pairs);
  s.insert(s.begin() + 32, 4, 0.5);
  z.resize(with.num_parts());
  const QuadraticMatching::Relaxation relaxed = with.relax(s, scratch, z);
  EXPECT_EQ(relaxed.programs, 1U);
  EXPECT_EQ(relaxed.fractional_edges, 4U);
}

TEST(RelaxedQuadraticMatching, TheProjectionIsTheNearestPoint) {
  Random random(2);
  RelaxedQuadraticMatching::Scratch scratch;
  for (Index trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const QuadraticInstance instance(1 + random.below(4), 1 + random.below(4), 1 + random.below(3),
                                     random);
    const RelaxedQuadraticMatching structure(instance.structure());
    for (const double size : {1.0, 1000.0}) {
      std::vector<double> v =
          conformance::draw_scores(Scores::kSmall, structure.num_parts(), random);
      for (double& value : v) value *= size;
      conformance::check_project(structure, v, scratch);
    }
  }
}

TEST(RelaxedQuadraticMatching, WholeOutputsLieInIt) {
  Random random(3);
  for (Index trial = 0; trial < 40; ++trial) {
    const QuadraticInstance instance(3, 3, 1 + random.below(3), random);
    const RelaxedQuadraticMatching structure(instance.structure());
    RelaxedQuadraticMatching::Output z(structure.num_parts());
    for (const QuadraticMatching::Output& y : instance.outputs()) {
      instance.structure().indicator(y, z);
      EXPECT_TRUE(structure.legal(z));
    }
  }
  const std::vector<Edge> edges = {{0, 0}, {0, 1}};
  const MatchingEdges graph(1, 2, edges);
  const RelaxedQuadraticMatching structure(graph, 1, {});
  EXPECT_TRUE(structure.legal({0.5, 0.5}));
  EXPECT_FALSE(structure.legal({0.6, 0.5}) || structure.legal({-0.1, 0}) || structure.legal({1}));
}

TEST(RelaxedQuadraticMatching, RefusesScoresOfTheWrongSign) {
  const std::vector<Edge> edges = {{0, 0}, {1, 1}};
  const MatchingEdges graph(2, 2, edges);
  const std::vector<EdgePair> pairs = {{0, 1}};
  const RelaxedQuadraticMatching structure(graph, 1, pairs);
  RelaxedQuadraticMatching::Scratch scratch;
  RelaxedQuadraticMatching::Output y;
  const std::vector<double> s = {1, 1, -1};
  EXPECT_THROW(structure.maximize(s, scratch, y), UsageError);
}

}  // namespace
}  // namespace trellis
