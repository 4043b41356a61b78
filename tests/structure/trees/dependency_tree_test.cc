#include "trellis/structure/trees/dependency_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "tests/structure/trees/dependency_instance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using conformance::Scores;
using Output = DependencyTree::Output;
using All = conformance::Enumeration<DependencyTree>;
using conformance::all_trees;
using conformance::draw_arcs;

std::vector<double> times(double beta, std::vector<double> s) {
  for (double& score : s) score *= beta;
  return s;
}

class DependencyRoots : public ::testing::TestWithParam<Roots> {};
INSTANTIATE_TEST_SUITE_P(DependencyTree, DependencyRoots,
                         ::testing::Values(Roots::kAny, Roots::kOne));

TEST_P(DependencyRoots, ConformsOnAllTreesOfUpToSixWords) {
  Random random(1);
  DependencyTree::Scratch scratch;
  for (Index words = 0; words <= 6; ++words) {
    SCOPED_TRACE(std::to_string(words) + " words");
    const DependencyArcs arcs = draw_arcs(words, 1, 1, random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    const auto n = static_cast<double>(words);
    if (words > 0) {  // Cayley
      EXPECT_EQ(static_cast<double>(all.outputs.size()),
                std::pow(GetParam() == Roots::kAny ? n + 1 : n, n - 1));
    }
    for (const Output& y : all.outputs) ASSERT_TRUE(structure.legal(y));
    for (Index trial = 0; trial < (words == 6 ? 1 : 4); ++trial) {
      conformance::check_conformance(all, scratch, random);
    }
  }
}

TEST_P(DependencyRoots, ConformsOnSparseGraphsWithParallelArcs) {
  Random random(2);
  DependencyTree::Scratch scratch;
  Index without = 0;
  for (Index trial = 0; trial < 200; ++trial) {
    const DependencyArcs arcs =
        draw_arcs(1 + random.below(5), 0.2 + 0.8 * random.uniform(), 1 + random.below(3), random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    if (all.outputs.size() > 3000) continue;
    without += all.outputs.empty() ? 1 : 0;
    conformance::check_conformance(all, scratch, random);
  }
  EXPECT_GT(without, 20u);
  EXPECT_LT(without, 200u);
}

TEST_P(DependencyRoots, SumsAreRightForAnyTemperature) {
  Random random(3);
  DependencyTree::Scratch scratch;
  for (const Index words : {2, 4, 5, 6}) {
    const DependencyArcs arcs = draw_arcs(words, words < 6 ? 0.8 : 1, words < 5 ? 2 : 1, random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    const std::vector<double> s =
        conformance::draw_scores(Scores::kSmall, structure.num_parts(), random);
    for (const double beta : {0.01, 0.1, 1.0, 10.0, 40.0, 100.0, 300.0, 1000.0, 1e6, 1e9}) {
      SCOPED_TRACE("β = " + std::to_string(beta));
      conformance::check_sums(all, times(beta, s), scratch);
    }
    conformance::check_gradient(structure, s, scratch);
  }
}

TEST_P(DependencyRoots, DrawsFollowTheirDistribution) {
  Random random(4);
  DependencyTree::Scratch scratch;
  for (Index trial = 0; trial < 12; ++trial) {
    const DependencyArcs arcs =
        draw_arcs(1 + trial % 5, trial % 2 == 0 ? 1 : 0.8, 1 + trial % 2, random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    if (all.outputs.empty()) continue;
    const std::vector<double> s =
        conformance::draw_scores(Scores::kSmall, structure.num_parts(), random);
    for (const double beta : {0.01, 1.0, 3.0, 1000.0}) {
      SCOPED_TRACE("β = " + std::to_string(beta));
      conformance::check_samples(all, times(beta, s), 4000, random, scratch);
    }
  }
}

// Words 1 and 2 want each other, 1e300 times as much as all else: a random walk would never leave
// them, and no double has room for the difference.
TEST_P(DependencyRoots, WordsThatWantEachOtherDoNotDeceive) {
  Random random(5);
  DependencyTree::Scratch scratch;
  for (const double want : {30.0, 200.0, 700.0, 1e6, 1e9}) {
    SCOPED_TRACE("want = " + std::to_string(want));
    const DependencyArcs arcs = draw_arcs(4, 1, 1, random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    std::vector<double> s = conformance::draw_scores(Scores::kTies, structure.num_parts(), random);
    for (Index p = 0; p < s.size(); ++p) {
      if (arcs.head(p) + arcs.modifier(p) == 3 && arcs.head(p) != 0) s[p] += want;
    }
    conformance::check_sums(all, s, scratch);
    conformance::check_samples(all, s, 4000, random, scratch);
  }
}

TEST_P(DependencyRoots, BestVertexOfTheLinearProgramIsTheBestTree) {
  Random random(6);
  DependencyTree::Scratch scratch;
  for (Index trial = 0; trial < 30; ++trial) {
    const DependencyArcs arcs =
        draw_arcs(1 + random.below(4), 0.3 + random.uniform(), 1 + random.below(2), random);
    const DependencyTree structure(arcs, GetParam());
    const All all(structure, all_trees(arcs, GetParam()));
    if (all.outputs.size() < 40) conformance::check_outputs_are_feasible(all);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      conformance::check_linear_program(
          all, conformance::draw_scores(kind, structure.num_parts(), random), scratch);
    }
  }
}

TEST_P(DependencyRoots, ProjectionIsTheNearestPointOfTheHull) {
  Random random(7);
  DependencyTree::Scratch scratch;
  for (Index trial = 0; trial < 30; ++trial) {
    const DependencyArcs arcs =
        draw_arcs(1 + random.below(5), 0.5 + random.uniform(), 1 + random.below(2), random);
    const DependencyTree structure(arcs, GetParam());
    Output y;
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      const std::vector<double> v = conformance::draw_scores(kind, structure.num_parts(), random);
      std::vector<double> z(v.size());
      const ProjectionResult result = structure.project(v, scratch, z);
      if (structure.maximize(v, scratch, y) == kImpossible) {
        EXPECT_EQ(result.status, ProjectionStatus::kEmpty);
        continue;
      }
      EXPECT_EQ(result.status, ProjectionStatus::kOptimal);
      conformance::check_project(structure, v, scratch);
    }
  }
}

TEST_P(DependencyRoots, TreesAreTheirOwnProjections) {
  Random random(8);
  DependencyTree::Scratch scratch;
  for (Index trial = 0; trial < 20; ++trial) {
    const DependencyArcs arcs = draw_arcs(8, 1, 1 + random.below(2), random);
    const DependencyTree structure(arcs, GetParam());
    std::vector<double> v(structure.num_parts()), z(structure.num_parts());
    Output y;
    structure.maximize(conformance::draw_scores(Scores::kSmall, v.size(), random), scratch, y);
    structure.indicator(y, v);
    structure.project(v, scratch, z);
    for (Index p = 0; p < v.size(); ++p) EXPECT_NEAR(z[p], v[p], 1e-12) << "part " << p;
  }
}

TEST_P(DependencyRoots, OneScratchServesManySentences) {
  Random random(9);
  DependencyTree::Scratch reused;
  for (Index trial = 0; trial < 40; ++trial) {
    const DependencyArcs arcs = draw_arcs(random.below(9), 0.7, 1 + random.below(2), random);
    const DependencyTree structure(arcs, GetParam());
    const std::vector<double> s = conformance::draw_scores(
        trial % 2 == 0 ? Scores::kMixed : Scores::kSmall, structure.num_parts(), random);
    DependencyTree::Scratch fresh;
    Output y, again;
    EXPECT_EQ(structure.maximize(s, fresh, y), structure.maximize(s, reused, again));
    EXPECT_EQ(y, again);
    std::vector<double> z(s.size()), z_again(s.size());
    EXPECT_EQ(structure.log_partition(s, fresh, z), structure.log_partition(s, reused, z_again));
    EXPECT_EQ(z, z_again);
    EXPECT_EQ(structure.entropy(s, fresh), structure.entropy(s, reused));
    structure.project(s, fresh, z);
    structure.project(s, reused, z_again);
    EXPECT_EQ(z, z_again);
    Random draws(trial), same_draws(trial);
    for (Index i = 0; i < 3; ++i) {
      structure.sample(s, draws, fresh, y);
      structure.sample(s, same_draws, reused, again);
      EXPECT_EQ(y, again);
    }
    std::vector<ScoredOutput<Output>> best, best_again;
    structure.k_best(s, 7, fresh, best);
    structure.k_best(s, 7, reused, best_again);
    ASSERT_EQ(best.size(), best_again.size());
    for (Index i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].output, best_again[i].output);
  }
}

TEST(DependencyTree, WhatIsNoTreeIsNotLegal) {
  const std::vector<DependencyArc> list = {{0, 1}, {2, 1}, {0, 2}, {1, 2}};
  const DependencyArcs arcs(2, list);
  const DependencyTree any(arcs, Roots::kAny), one(arcs, Roots::kOne);
  EXPECT_TRUE(any.legal({0, 2}));
  EXPECT_FALSE(one.legal({0, 2})) << "two words at the root";
  EXPECT_TRUE(one.legal({0, 3}));
  EXPECT_FALSE(any.legal({1, 3})) << "a cycle";
  EXPECT_FALSE(any.legal({0, 1})) << "the arc of another word";
  EXPECT_FALSE(any.legal({0, 4})) << "no such arc";
  EXPECT_FALSE(any.legal({0}));
}

TEST(DependencyTree, WhereThereIsNoTreeNothingIsFound) {
  // Word 2 reaches the root by word 3 alone, and word 3 by word 2.
  const std::vector<DependencyArc> list = {{0, 1}, {3, 2}, {2, 3}};
  const DependencyArcs arcs(3, list);
  for (const Roots roots : {Roots::kAny, Roots::kOne}) {
    const DependencyTree structure(arcs, roots);
    DependencyTree::Scratch scratch;
    const std::vector<double> s = {1, 2, 3};
    std::vector<double> z(3, 7.0);
    Output y = {0, 1, 2};
    EXPECT_EQ(structure.maximize(s, scratch, y), kImpossible);
    EXPECT_TRUE(y.empty());
    EXPECT_EQ(structure.log_partition(s, scratch, z), kImpossible);
    EXPECT_EQ(z, std::vector<double>(3, 0.0));
    EXPECT_EQ(structure.project(s, scratch, z).status, ProjectionStatus::kEmpty);
  }
}

TEST(DependencyArcs, KnowTheirGroups) {
  const std::vector<DependencyArc> list = {{0, 1}, {0, 1}, {3, 1}, {1, 3}, {1, 3}};
  const DependencyArcs arcs(3, list);
  EXPECT_EQ(arcs.words(), 3u);
  EXPECT_EQ(arcs.size(), 5u);
  EXPECT_EQ(arcs.begin(1), 0u);
  EXPECT_EQ(arcs.begin(2), 3u);
  EXPECT_EQ(arcs.begin(3), 3u);
  EXPECT_EQ(arcs.begin(4), 5u);
  ASSERT_EQ(arcs.num_groups(), 3u);
  EXPECT_EQ(arcs.group_begin(1), 2u);
  EXPECT_EQ(arcs.group_begin(2), 3u);
  EXPECT_EQ(arcs.group_begin(3), 5u);
  EXPECT_EQ(arcs.head(2), 3u);
  EXPECT_EQ(arcs.modifier(2), 1u);
}

TEST(DependencyArcs, RefuseWhatIsNone) {
  const auto make = [](std::vector<DependencyArc> arcs) { return DependencyArcs(2, arcs); };
  EXPECT_THROW(make({{1, 0}}), UsageError);
  EXPECT_THROW(make({{1, 1}}), UsageError);
  EXPECT_THROW(make({{3, 1}}), UsageError);
  EXPECT_THROW(make({{0, 3}}), UsageError);
  EXPECT_THROW(make({{0, 2}, {0, 1}}), UsageError);
  EXPECT_THROW(make({{2, 1}, {0, 1}}), UsageError);
  EXPECT_NO_THROW(make({}));
}

}  // namespace
}  // namespace trellis
