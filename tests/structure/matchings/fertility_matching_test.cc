#include "trellis/structure/matchings/fertility_matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using conformance::Scores;
using Output = FertilityMatching::Output;

static_assert(SignedScores<FertilityMatching>);
static_assert(!Summer<FertilityMatching> && !Sampler<FertilityMatching>);

// Each pair is an edge with the same probability, 1 for complete graphs.
MatchingEdges draw_edges(Index num_left, Index num_right, double density, Random& random) {
  std::vector<MatchingEdges::Edge> edges;
  for (std::uint32_t i = 0; i < num_left; ++i) {
    for (std::uint32_t j = 0; j < num_right; ++j) {
      if (random.uniform() < density) edges.push_back({i, j});
    }
  }
  return MatchingEdges(num_left, num_right, edges);
}

// Every set of edges that no node has too many of, from the definition.
std::vector<Output> all_link_sets(const MatchingEdges& edges, Index most_links) {
  const BipartiteGraph graph = edges.graph();
  std::vector<Output> outputs;
  for (Index bits = 0; bits < Index{1} << graph.column.size(); ++bits) {
    std::vector<Index> left(graph.rows, 0), right(graph.columns, 0);
    Output y;
    for (Index i = 0; i < graph.rows; ++i) {
      for (Index e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
        if ((bits >> e & 1) == 0) continue;
        ++left[i];
        ++right[graph.column[e]];
        y.push_back(static_cast<std::uint32_t>(e));
      }
    }
    const auto within = [&](Index links) { return links <= most_links; };
    if (std::all_of(left.begin(), left.end(), within) &&
        std::all_of(right.begin(), right.end(), within)) {
      outputs.push_back(y);
    }
  }
  return outputs;
}

// Edges of any score; fertilities of one that is ≤ 0 and falls with d.
std::vector<double> draw_convex(const FertilityMatching& structure, Scores kind, Random& random) {
  std::vector<double> s = conformance::draw_scores(kind, structure.num_parts(), random);
  const Index further = structure.most_links() - 1;
  for (Index p = structure.num_edges(); p < s.size(); p += further) {
    for (Index d = 0; d < further; ++d) s[p + d] = -std::abs(s[p + d]);
    std::sort(s.begin() + static_cast<std::ptrdiff_t>(p),
              s.begin() + static_cast<std::ptrdiff_t>(p + further), std::greater<>());
  }
  return s;
}

class MostLinks : public ::testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(FertilityMatching, MostLinks, ::testing::Values(1, 2, 3));

TEST_P(MostLinks, MaximizeEqualsEnumeration) {
  Random random(1);
  FertilityMatching::Scratch scratch;
  for (Index trial = 0; trial < 300; ++trial) {
    const Index num_left = random.below(5), num_right = random.below(4);
    const double density = trial % 3 == 0 ? 1 : random.uniform();
    const MatchingEdges edges = draw_edges(num_left, num_right, density, random);
    const FertilityMatching structure(edges, GetParam());
    const conformance::Enumeration<FertilityMatching> all(structure,
                                                          all_link_sets(edges, GetParam()));
    for (const Output& y : all.outputs) ASSERT_TRUE(structure.legal(y));
    for (const Scores kind : conformance::kAllScores) {
      SCOPED_TRACE("scores of kind " + std::to_string(static_cast<int>(kind)));
      conformance::check_maximize(all, draw_convex(structure, kind, random), scratch);
    }
  }
}

TEST_P(MostLinks, KBestAreAllLinkSetsInTheirOrder) {
  Random random(2);
  FertilityMatching::Scratch scratch;
  for (Index trial = 0; trial < 60; ++trial) {
    const Index num_left = random.below(4), num_right = random.below(4);
    const double density = trial % 4 == 0 ? 1 : random.uniform();
    const MatchingEdges edges = draw_edges(num_left, num_right, density, random);
    const FertilityMatching structure(edges, GetParam());
    const conformance::Enumeration<FertilityMatching> all(structure,
                                                          all_link_sets(edges, GetParam()));
    for (const Scores kind : conformance::kAllScores) {
      SCOPED_TRACE("scores of kind " + std::to_string(static_cast<int>(kind)));
      const std::vector<double> s = draw_convex(structure, kind, random);
      for (const Index k : {Index{0}, Index{1}, Index{5}, all.outputs.size() + 3}) {
        conformance::check_k_best(all, s, k, scratch);
      }
    }
  }
}

TEST_P(MostLinks, BestVertexOfTheLinearProgramIsTheBestLinkSet) {
  Random random(3);
  FertilityMatching::Scratch scratch;
  for (Index trial = 0; trial < 25; ++trial) {
    const MatchingEdges edges =
        draw_edges(1 + random.below(3), 1 + random.below(3), 0.3 + random.uniform(), random);
    const FertilityMatching structure(edges, GetParam());
    const conformance::Enumeration<FertilityMatching> all(structure,
                                                          all_link_sets(edges, GetParam()));
    if (all.outputs.size() < 100) conformance::check_outputs_are_feasible(all);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      conformance::check_linear_program(all, draw_convex(structure, kind, random), scratch);
    }
  }
}

TEST_P(MostLinks, ProjectionIsTheNearestPointOfTheLinearProgram) {
  Random random(4);
  FertilityMatching::Scratch scratch;
  for (Index trial = 0; trial < 60; ++trial) {
    const MatchingEdges edges =
        draw_edges(1 + random.below(7), 1 + random.below(7), 0.2 + random.uniform(), random);
    const FertilityMatching structure(edges, GetParam());
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      const std::vector<double> v =
          conformance::draw_scores(kind, structure.num_parts(), random);  // of any sign
      conformance::check_project(structure, v, scratch);
    }
  }
}

TEST_P(MostLinks, LinkSetsAreTheirOwnProjections) {
  Random random(5);
  FertilityMatching::Scratch scratch;
  for (Index trial = 0; trial < 30; ++trial) {
    const MatchingEdges edges = draw_edges(6, 5, 0.5, random);
    const FertilityMatching structure(edges, GetParam());
    std::vector<double> v(structure.num_parts()), z(structure.num_parts());
    Output y;
    structure.maximize(draw_convex(structure, Scores::kSmall, random), scratch, y);
    structure.indicator(y, v);
    structure.project(v, scratch, z);
    for (Index p = 0; p < v.size(); ++p) EXPECT_NEAR(z[p], v[p], 1e-9) << "part " << p;
  }
}

TEST_P(MostLinks, OneScratchServesManyGraphs) {
  Random random(6);
  FertilityMatching::Scratch reused;
  for (Index trial = 0; trial < 40; ++trial) {
    const MatchingEdges edges =
        draw_edges(1 + random.below(9), 1 + random.below(9), random.uniform(), random);
    const FertilityMatching structure(edges, GetParam());
    const std::vector<double> s = draw_convex(structure, Scores::kTies, random);
    FertilityMatching::Scratch fresh;
    Output y, again;
    EXPECT_EQ(structure.maximize(s, fresh, y), structure.maximize(s, reused, again));
    EXPECT_EQ(y, again);
    std::vector<double> z(s.size()), z_again(s.size());
    structure.project(s, fresh, z);
    structure.project(s, reused, z_again);
    EXPECT_EQ(z, z_again);
    std::vector<ScoredOutput<Output>> best, best_again;
    structure.k_best(s, 7, fresh, best);
    structure.k_best(s, 7, reused, best_again);
    ASSERT_EQ(best.size(), best_again.size());
    for (Index i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].output, best_again[i].output);
  }
}

// On graphs too large to enumerate.
TEST(FertilityMatching, WithOneLinkANodeItIsAMatching) {
  Random random(7);
  FertilityMatching::Scratch scratch;
  Matching::Scratch matching_scratch;
  for (Index trial = 0; trial < 150; ++trial) {
    const MatchingEdges edges =
        draw_edges(1 + random.below(25), 1 + random.below(25), random.uniform(), random);
    const FertilityMatching structure(edges, 1);
    const Matching matching(edges);
    ASSERT_EQ(structure.num_parts(), matching.num_parts());
    for (const Scores kind : conformance::kAllScores) {
      const std::vector<double> s = conformance::draw_scores(kind, structure.num_parts(), random);
      Output y;
      Matching::Output right;
      EXPECT_EQ(structure.maximize(s, scratch, y), matching.maximize(s, matching_scratch, right));
      EXPECT_EQ(structure.score(s, y), matching.score(s, right));
    }
    const std::vector<double> v =
        conformance::draw_scores(Scores::kSmall, structure.num_parts(), random);
    std::vector<double> z(v.size()), nearest(v.size());
    structure.project(v, scratch, z);
    matching.project(v, matching_scratch, nearest);
    for (Index p = 0; p < v.size(); ++p) EXPECT_NEAR(z[p], nearest[p], 1e-8);
  }
}

// Without penalties every node takes what it may.
TEST(FertilityMatching, FreeLinksAreTakenUpToTheMost) {
  Random random(8);
  const MatchingEdges edges = draw_edges(6, 6, 1, random);
  const FertilityMatching structure(edges, 4);
  std::vector<double> s(structure.num_parts(), 0.0);
  std::fill(s.begin(), s.begin() + 36, 1.0);
  FertilityMatching::Scratch scratch;
  Output y;
  EXPECT_EQ(structure.maximize(s, scratch, y), 24);
}

TEST(FertilityMatching, NoLinkIsTakenThatGainsNothing) {
  Random random(9);
  FertilityMatching::Scratch scratch;
  Output y;
  for (Index trial = 0; trial < 200; ++trial) {
    const MatchingEdges edges = draw_edges(5, 5, 0.7, random);
    const FertilityMatching structure(edges, 3);
    const std::vector<double> s = draw_convex(structure, Scores::kTies, random);
    const double best = structure.maximize(s, scratch, y);
    for (Index i = 0; i < y.size(); ++i) {
      Output fewer = y;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_LT(structure.score(s, fewer), best);
    }
  }
}

// The word "backbone" and its two words in French: they are linked both once their scores are worth
// the penalty.
TEST(FertilityMatching, ASecondLinkIsTakenWhereItIsWorthItsPenalty) {
  const std::vector<MatchingEdges::Edge> list = {{0, 0}, {0, 1}};
  const MatchingEdges edges(1, 2, list);
  const FertilityMatching structure(edges, 2);
  ASSERT_EQ(structure.num_parts(), 5u);
  EXPECT_EQ(structure.left_part(0, 2), 2u);
  EXPECT_EQ(structure.right_part(1, 2), 4u);
  FertilityMatching::Scratch scratch;
  Output y;
  EXPECT_EQ(structure.maximize(std::vector<double>{3, 2, -1, 0, 0}, scratch, y), 4);
  EXPECT_EQ(y, (Output{0, 1}));
  EXPECT_EQ(structure.maximize(std::vector<double>{3, 2, -2, 0, 0}, scratch, y), 3);
  EXPECT_EQ(y, (Output{0}));
  std::vector<double> z(5);
  structure.indicator({0, 1}, z);
  EXPECT_EQ(z, (std::vector<double>{1, 1, 1, 0, 0}));
}

std::string refusal_of(const FertilityMatching& structure, const std::vector<double>& s) {
  FertilityMatching::Scratch scratch;
  Output y;
  std::vector<ScoredOutput<Output>> best;
  EXPECT_THROW(structure.k_best(s, 2, scratch, best), UsageError);
  try {
    structure.maximize(s, scratch, y);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(FertilityMatching, RewardsForLinksAndFallingPenaltiesAreRefusedByName) {
  const std::vector<MatchingEdges::Edge> list = {{0, 0}, {0, 1}, {1, 1}};
  const MatchingEdges edges(2, 2, list);
  const FertilityMatching structure(edges, 3);
  std::vector<double> s(structure.num_parts(), -1.0);
  s[structure.right_part(1, 2)] = 0.5;
  std::string message = refusal_of(structure, s);
  EXPECT_NE(message.find("2nd link of right node 1 has the score 0.5"), std::string::npos)
      << message;
  s[structure.right_part(1, 2)] = -1;
  s[structure.left_part(0, 3)] = -0.25;
  message = refusal_of(structure, s);
  EXPECT_NE(message.find("3rd link of left node 0 has the score -0.25"), std::string::npos)
      << message;
}

TEST(FertilityMatching, RefusesWhatItCannotBeMadeOf) {
  const std::vector<MatchingEdges::Edge> unsorted = {{1, 0}, {0, 0}}, sorted = {{0, 0}, {1, 0}};
  const MatchingEdges wrong(2, 1, unsorted), right(2, 1, sorted);
  EXPECT_THROW(FertilityMatching(wrong, 2), UsageError);
  EXPECT_THROW(FertilityMatching(right, 0), UsageError);
  EXPECT_THROW(FertilityMatching(right, 17), UsageError);
  EXPECT_NO_THROW(FertilityMatching(right, 16));
}

TEST(FertilityMatching, LegalOutputsAreAscendingEdgesOfFewLinksANode) {
  const std::vector<MatchingEdges::Edge> list = {{0, 0}, {0, 1}, {0, 2}, {2, 2}};
  const MatchingEdges edges(3, 3, list);
  const FertilityMatching structure(edges, 2);
  EXPECT_TRUE(structure.legal({}));
  EXPECT_TRUE(structure.legal({0, 2, 3}));
  EXPECT_FALSE(structure.legal({0, 1, 2}));
  EXPECT_FALSE(structure.legal({2, 0}));
  EXPECT_FALSE(structure.legal({3, 3}));
  EXPECT_FALSE(structure.legal({4}));
  EXPECT_FALSE(FertilityMatching(edges, 1).legal({2, 3}));
}

}  // namespace
}  // namespace trellis
