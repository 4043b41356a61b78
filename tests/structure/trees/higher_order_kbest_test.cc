#include "trellis/structure/trees/higher_order_kbest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "tests/structure/trees/dependency_instance.h"

namespace trellis {
namespace {

constexpr Index kRuns = 64;

// A sentence with pairs, and the scores of all its labelled trees, best first.
struct Instance {
  explicit Instance(std::uint64_t seed)
      : random(seed),
        arcs(conformance::draw_arcs(1 + random.below(4), 0.9, 3, random)),
        roots(random.below(2) == 0 ? Roots::kAny : Roots::kOne),
        graph(arcs, roots, Crossing::kAllowed, {}) {
    const LabelFold fold(arcs, graph);
    s = conformance::draw_scores(conformance::Scores::kSmall, fold.num_parts(), random);
    for (const auto& tree : conformance::all_trees(arcs, roots)) {
      all.push_back(fold.score(s, tree));
    }
    std::ranges::sort(all, std::greater());
  }

  Random random;
  DependencyArcs arcs;
  Roots roots;
  ArcPairGraph graph;
  std::vector<double> s;
  std::vector<double> all;
};

TEST(HigherOrderKBest, IsWhatEnumerationFinds) {
  HigherOrderKBest k_best;
  std::vector<HigherOrderKBest::Result> best;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Instance instance(seed);
    const LabelFold fold(instance.arcs, instance.graph);
    for (const Index k : {Index{0}, Index{1}, Index{2}, Index{7}, Index{60}}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " k " << k);
      k_best.solve(instance.arcs, instance.graph, instance.s, k, kRuns, best);
      ASSERT_EQ(best.size(), std::min(k, instance.all.size()));
      std::set<std::vector<std::uint32_t>> different;
      for (Index i = 0; i < best.size(); ++i) {
        EXPECT_TRUE(best[i].proven);
        EXPECT_NEAR(best[i].score, instance.all[i], 1e-12);
        EXPECT_TRUE(conformance::is_tree(instance.arcs, instance.roots, best[i].tree));
        EXPECT_EQ(best[i].score, fold.score(instance.s, best[i].tree));
        different.insert(best[i].tree);
      }
      EXPECT_EQ(different.size(), best.size());
    }
  }
}

TEST(HigherOrderKBest, TellsWhichTreesAreNotProved) {
  HigherOrderKBest k_best;
  std::vector<HigherOrderKBest::Result> best;
  Index unproven = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Instance instance(seed);
    k_best.solve(instance.arcs, instance.graph, instance.s, 20, 1, best);
    for (Index i = 0; i < best.size(); ++i) {
      unproven += best[i].proven ? 0 : 1;
      EXPECT_LE(best[i].score, instance.all[i] + 1e-12);
      EXPECT_TRUE(!best[i].proven || best[i].score >= instance.all[i] - 1e-12) << seed << " " << i;
    }
  }
  EXPECT_GT(unproven, 10U);
}

TEST(HigherOrderKBest, HasNoTreeWhereThereIsNone) {
  const DependencyArcs arcs(2, std::vector<DependencyArc>{{2, 1}, {1, 2}});
  const ArcPairGraph graph(arcs, Roots::kAny, Crossing::kAllowed, {});
  HigherOrderKBest k_best;
  std::vector<HigherOrderKBest::Result> best(1);
  const std::vector<double> s(LabelFold(arcs, graph).num_parts(), 1.0);
  k_best.solve(arcs, graph, s, 3, kRuns, best);
  EXPECT_TRUE(best.empty());
}

}  // namespace
}  // namespace trellis
