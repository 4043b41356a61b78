#include "trellis/structure/matchings/quadratic_matching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/structure/matchings/quadratic_instance.h"
#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using conformance::Enumeration;
using conformance::QuadraticInstance;
using conformance::Scores;
using Edge = MatchingEdges::Edge;

void check_all(const QuadraticInstance& instance, QuadraticMatching::Scratch& scratch,
               Random& random) {
  const Enumeration<QuadraticMatching> all(instance.structure(), instance.outputs());
  for (const Scores kind : conformance::kAllScores) {
    SCOPED_TRACE("scores of kind " + std::to_string(static_cast<int>(kind)));
    const std::vector<double> s = instance.scores(kind, random);
    conformance::check_maximize(all, s, scratch);
    conformance::check_k_best(all, s, 1 + random.below(8), scratch);
    std::vector<double> z(s.size());
    const auto relaxed = instance.structure().relax(s, scratch, z);
    const LpSolution program = maximize_linear_program(instance.structure().linear_program(), s);
    ASSERT_EQ(program.status, LpStatus::kOptimal);
    double size = 1;
    for (const double score : s) size += std::abs(score);
    EXPECT_NEAR(relaxed.value, program.value, 1e-9 * size);
    QuadraticMatching::Output y;
    EXPECT_GE(relaxed.value, instance.structure().maximize(s, scratch, y) - 1e-9 * size);
  }
}

TEST(QuadraticMatching, EqualsEnumeration) {
  Random random(1);
  QuadraticMatching::Scratch scratch;
  for (Index trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    const Index left = 1 + random.below(3), right = 1 + random.below(3);
    check_all(QuadraticInstance(left, right, 1 + random.below(3), random), scratch, random);
  }
}

TEST(QuadraticMatching, EqualsEnumerationOnLargerGrids) {
  Random random(2);
  QuadraticMatching::Scratch scratch;
  for (Index trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(trial);
    const Index most_links = trial % 3 == 0 ? 2 : 1;
    const Index left = most_links == 1 ? 4 : 3;
    check_all(QuadraticInstance(left, 4, most_links, random), scratch, random);
  }
}

TEST(QuadraticMatching, ListsAllOutputsWhereMoreAreAskedFor) {
  Random random(3);
  QuadraticMatching::Scratch scratch;
  for (Index trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const QuadraticInstance instance(2, 3, 1 + random.below(2), random);
    const Enumeration<QuadraticMatching> all(instance.structure(), instance.outputs());
    for (const Scores kind : {Scores::kSmall, Scores::kTies}) {
      conformance::check_k_best(all, instance.scores(kind, random), all.outputs.size() + 3,
                                scratch);
    }
    conformance::check_outputs_are_feasible(all);
  }
}

TEST(QuadraticMatching, TakesNoEdgeThatAddsNothing) {
  Random random(4);
  QuadraticMatching::Scratch scratch;
  QuadraticMatching::Output y;
  for (Index trial = 0; trial < 300; ++trial) {
    const QuadraticInstance instance(3, 3, 1 + random.below(3), random);
    const QuadraticMatching& structure = instance.structure();
    structure.maximize(std::vector<double>(structure.num_parts(), 0.0), scratch, y);
    EXPECT_TRUE(y.empty());
    const std::vector<double> s = instance.scores(Scores::kTies, random);
    const double value = structure.maximize(s, scratch, y);
    for (Index i = 0; i < y.size(); ++i) {
      QuadraticMatching::Output less = y;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_LT(structure.score(s, less), value);
    }
  }
}

// Every score positive, as costs make them in training.
TEST(QuadraticMatching, TheBoundOfALargeProblemIsReached) {
  Random random(5);
  QuadraticMatching::Scratch scratch;
  QuadraticMatching::Output y, again;
  for (Index trial = 0; trial < 12; ++trial) {
    const Index n = 10;
    std::vector<Edge> edges;
    for (std::uint32_t e = 0; e < n * n; ++e) edges.push_back({e / 10, e % 10});
    const MatchingEdges graph(n, n, edges);
    std::vector<EdgePair> pairs;
    for (std::uint32_t e = 0; e + n + 1 < n * n; ++e) {
      if (e % 10 != 9) pairs.push_back({e, e + 11});
    }
    const QuadraticMatching structure(graph, 1 + trial % 3, pairs);
    std::vector<double> s(structure.num_parts());
    for (Index p = 0; p < s.size(); ++p) {
      s[p] = p < n * n                            ? 1 + 0.3 * random.normal()
             : p < structure.parts().first_pair() ? -0.5
                                                  : 0.2 * random.uniform();
    }
    const double value = structure.maximize(s, scratch, y);
    EXPECT_TRUE(structure.legal(y));
    EXPECT_NEAR(scratch.search.summary().bound, value, 1e-9);
    std::vector<double> z(s.size());
    EXPECT_GE(structure.relax(s, scratch, z).value, value - 1e-9);
    QuadraticMatching::Scratch fresh;
    structure.maximize(s, fresh, again);
    EXPECT_EQ(again, y);
  }
}

TEST(QuadraticMatching, RefusesScoresOfTheWrongSign) {
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 1}};
  const MatchingEdges graph(2, 2, edges);
  const std::vector<EdgePair> pairs = {{0, 2}};
  const QuadraticMatching structure(graph, 3, pairs);
  QuadraticMatching::Scratch scratch;
  QuadraticMatching::Output y;
  std::vector<ScoredOutput<QuadraticMatching::Output>> best;
  std::vector<double> z(structure.num_parts()), s(structure.num_parts(), 0.0);
  const auto expect_refusal = [&] {
    EXPECT_THROW(structure.maximize(s, scratch, y), UsageError);
    EXPECT_THROW(structure.k_best(s, 2, scratch, best), UsageError);
    EXPECT_THROW(structure.relax(s, scratch, z), UsageError);
  };
  structure.maximize(s, scratch, y);
  s.back() = -0.1;
  expect_refusal();
  s.back() = std::nan("");
  expect_refusal();
  s.back() = 0;
  s[3] = 0.1;
  expect_refusal();
  s[3] = -1;  // the third link is cheaper than the second
  expect_refusal();
  s[4] = -1;
  structure.maximize(s, scratch, y);
}

TEST(QuadraticMatching, RefusesWhatIsNoQuadraticMatching) {
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 1}};
  const std::vector<Edge> unsorted = {{1, 1}, {0, 0}};
  const MatchingEdges graph(2, 2, edges), mixed(2, 2, unsorted);
  EXPECT_THROW(QuadraticMatching(mixed, 1, {}), UsageError);
  EXPECT_THROW(QuadraticMatching(graph, 0, {}), UsageError);
  EXPECT_THROW(QuadraticMatching(graph, 17, {}), UsageError);
  for (const std::vector<EdgePair>& pairs :
       {std::vector<EdgePair>{{1, 0}}, {{1, 1}}, {{0, 3}}, {{0, 1}, {1, 2}, {0, 1}}}) {
    EXPECT_THROW(QuadraticMatching(graph, 1, pairs), UsageError);
  }
}

TEST(QuadraticMatching, LegalOutputsAreAscendingEdgesWithinTheDegrees) {
  const std::vector<Edge> edges = {{0, 0}, {0, 1}, {1, 1}};
  const MatchingEdges graph(2, 2, edges);
  const QuadraticMatching one(graph, 1, {}), two(graph, 2, {});
  EXPECT_TRUE(one.legal({}) && one.legal({0, 2}) && two.legal({0, 1, 2}));
  EXPECT_FALSE(one.legal({0, 1}) || one.legal({1, 2}) || one.legal({3}));
  EXPECT_FALSE(two.legal({1, 0}) || two.legal({1, 1}));
}

}  // namespace
}  // namespace trellis
