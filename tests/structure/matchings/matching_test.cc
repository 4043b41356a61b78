#include "trellis/structure/matchings/matching.h"

#include <gtest/gtest.h>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using namespace conformance;

static_assert(KBest<Matching> && Projector<Matching>);
static_assert(!Summer<Matching> && !Sampler<Matching>);

using Edge = MatchingEdges::Edge;

// Every way to go on from y, which says for the first left nodes what they have.
void extend(const std::vector<std::vector<Label>>& edges, std::vector<bool>& taken,
            Matching::Output& y, std::vector<Matching::Output>& all) {
  if (y.size() == edges.size()) {
    all.push_back(y);
    return;
  }
  y.push_back(kNoLabel);
  extend(edges, taken, y, all);
  for (const Label k : edges[y.size() - 1]) {
    if (taken[static_cast<Index>(k)]) continue;
    taken[static_cast<Index>(k)] = true;
    y.back() = k;
    extend(edges, taken, y, all);
    taken[static_cast<Index>(k)] = false;
  }
  y.pop_back();
}

std::vector<Matching::Output> all_matchings(const std::vector<std::vector<Label>>& edges,
                                            Index num_right, Cover cover) {
  std::vector<Matching::Output> all, result;
  std::vector<bool> taken(num_right, false);
  Matching::Output y;
  extend(edges, taken, y, all);
  for (const Matching::Output& output : all) {
    Index size = 0;
    for (const Label k : output) size += k == kNoLabel ? 0 : 1;
    if (cover == Cover::kPartial || size == std::min(edges.size(), num_right)) {
      result.push_back(output);
    }
  }
  return result;
}

std::vector<std::vector<Label>> complete_edges(Index num_left, Index num_right) {
  std::vector<std::vector<Label>> edges(num_left);
  for (auto& row : edges) {
    for (Index k = 0; k < num_right; ++k) row.push_back(static_cast<Label>(k));
  }
  return edges;
}

void check_all(const Matching& structure, const std::vector<Matching::Output>& outputs,
               Matching::Scratch& scratch, Random& random) {
  const Enumeration<Matching> all(structure, outputs);
  for (const Matching::Output& y : outputs) EXPECT_TRUE(structure.legal(y));
  for (const Scores kind : kAllScores) {
    SCOPED_TRACE("scores of kind " + std::to_string(static_cast<int>(kind)));
    const std::vector<double> s = draw_scores(kind, structure.num_parts(), random);
    check_maximize(all, s, scratch);
    for (const Index k : {Index{1}, Index{5}, outputs.size() + 3}) check_k_best(all, s, k, scratch);
    if (!outputs.empty()) check_project(structure, s, scratch);
  }
  check_linear_program(all, draw_scores(Scores::kSmall, structure.num_parts(), random), scratch);
}

TEST(Matching, EveryOperationEqualsEnumerationOnCompleteGraphs) {
  Random random(1);
  Matching::Scratch scratch;
  for (Index left = 0; left <= 4; ++left) {
    for (Index right = 0; right <= 4; ++right) {
      for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
        const Matching structure(left, right, cover);
        const auto outputs = all_matchings(complete_edges(left, right), right, cover);
        for (Index trial = 0; trial < 4; ++trial) check_all(structure, outputs, scratch, random);
        check_outputs_are_feasible(Enumeration<Matching>(structure, outputs));
        ASSERT_FALSE(HasFailure()) << left << " by " << right;
      }
    }
  }
}

TEST(Matching, EveryOperationEqualsEnumerationOnEdgeListsInAnyOrder) {
  Random random(2);
  Matching::Scratch scratch;
  Index impossible = 0;
  for (Index trial = 0; trial < 150; ++trial) {
    const Index left = 1 + random.below(5), right = 1 + random.below(5);
    const double density = random.uniform();
    std::vector<std::vector<Label>> lists(left);
    std::vector<Edge> sorted;
    for (std::uint32_t j = 0; j < left; ++j) {
      for (std::uint32_t k = 0; k < right; ++k) {
        if (random.uniform() >= density) continue;
        lists[j].push_back(static_cast<Label>(k));
        sorted.push_back({j, k});
      }
    }
    std::vector<Edge> edges;
    for (const Index e : random_permutation(sorted.size(), Random(trial))) {
      edges.push_back(sorted[e]);
    }
    const MatchingEdges graph(left, right, trial % 3 == 0 ? sorted : edges);
    for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
      const Matching structure(graph, cover);
      const auto outputs = all_matchings(lists, right, cover);
      impossible += outputs.empty() ? 1 : 0;
      check_all(structure, outputs, scratch, random);
    }
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
  EXPECT_GT(impossible, 10u);
}

TEST(Matching, PartsAreNumberedAsTheEdgesAreGiven) {
  const std::vector<Edge> edges = {{1, 0}, {0, 2}, {0, 0}};
  const MatchingEdges graph(2, 3, edges);
  const Matching structure(graph);
  std::vector<double> z(3);
  structure.indicator({2, 0}, z);
  EXPECT_EQ(z, (std::vector<double>{1, 1, 0}));
  const std::vector<double> s = {5, 3, 4};
  Matching::Scratch scratch;
  Matching::Output y;
  EXPECT_EQ(structure.maximize(s, scratch, y), 8);
  EXPECT_EQ(y, (Matching::Output{2, 0}));
  EXPECT_FALSE(structure.legal({0, 0}));
  EXPECT_FALSE(structure.legal({1, 0}));
  EXPECT_FALSE(structure.legal({3, 0}));
  EXPECT_FALSE(structure.legal({-2, 0}));
  EXPECT_FALSE(structure.legal({2}));
}

TEST(Matching, ScoresDoNotDependOnTheOrderOfTheirSum) {
  const std::vector<double> s = {1e16, 0, 0, 0, 1, 0, 0, 0, -1e16};
  EXPECT_EQ(Matching(3, 3).score(s, {0, 1, 2}), 1);
  const std::vector<double> turned = {1, 0, 0, 0, 1e16, 0, 0, 0, -1e16};
  EXPECT_EQ(Matching(3, 3).score(turned, {0, 1, 2}), 1);
}

TEST(Matching, RefusesEdgesThatDoNotFit) {
  const std::vector<Edge> twice = {{0, 1}, {1, 1}, {0, 1}};
  EXPECT_THROW(MatchingEdges(2, 2, twice), UsageError);
  const std::vector<Edge> no_left = {{2, 0}};
  EXPECT_THROW(MatchingEdges(2, 2, no_left), UsageError);
  const std::vector<Edge> no_right = {{0, 2}};
  EXPECT_THROW(MatchingEdges(2, 2, no_right), UsageError);
  EXPECT_THROW(Matching(Index{1} << 40, 2), UsageError);
}

TEST(Matching, SaysThatThereIsNothingToProjectOn) {
  const std::vector<Edge> edges = {{0, 0}, {1, 0}};
  const MatchingEdges graph(2, 2, edges);
  const Matching structure(graph, Cover::kPerfect);
  Matching::Scratch scratch;
  std::vector<double> z(2);
  EXPECT_THROW(structure.project(std::vector<double>{1, 1}, scratch, z), UsageError);
  Matching::Output y = {0, 0};
  EXPECT_EQ(structure.maximize(std::vector<double>{1, 1}, scratch, y), kImpossible);
  EXPECT_TRUE(y.empty());
}

// Only then are the vertices of a face those without the parts that are 0.
TEST(Matching, FacesAreToldByZerosOnlyWhereEverybodyIsMatched) {
  EXPECT_TRUE(faces_by_zeros(Matching(3, 3, Cover::kPerfect)));
  EXPECT_FALSE(faces_by_zeros(Matching(3, 4, Cover::kPerfect)));
  EXPECT_FALSE(faces_by_zeros(Matching(3, 3)));
}

TEST(Matching, TheKBestOfLargerGraphsAreInOrderAndDistinct) {
  Random random(6);
  Matching::Scratch scratch;
  for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
    const Matching structure(12, 10, cover);
    const std::vector<double> s = draw_scores(Scores::kTies, structure.num_parts(), random);
    std::vector<ScoredOutput<Matching::Output>> best;
    structure.k_best(s, 200, scratch, best);
    ASSERT_EQ(best.size(), 200u);
    std::set<Matching::Output> seen;
    for (Index i = 0; i < best.size(); ++i) {
      EXPECT_TRUE(structure.legal(best[i].output));
      EXPECT_EQ(best[i].score, structure.score(s, best[i].output));
      EXPECT_TRUE(seen.insert(best[i].output).second);
      EXPECT_LE(best[i].score, best[i == 0 ? 0 : i - 1].score);
    }
  }
}

}  // namespace
}  // namespace trellis
