// Searches that a limit may end: the best output found, and a bound on what was missed.
#include "trellis/structure/limited_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/solve/factors/factor_instance.h"
#include "tests/structure/matchings/quadratic_instance.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/matchings/quadratic_matching.h"

namespace trellis {
namespace {

using conformance::QuadraticInstance;
using conformance::Scores;
using Limited = LimitedSearch<QuadraticMatching>;
using Output = QuadraticMatching::Output;

static_assert(Searcher<Limited> && !Maximizer<Limited> && !KBest<Limited>);
static_assert(SignedScores<Limited> && RelaxedProgram<Limited>);
static_assert(Searcher<LimitedSearch<FactorGraph>> && !Maximizer<LimitedSearch<FactorGraph>>);
static_assert(!SignedScores<LimitedSearch<FactorGraph>>);

double best_of(const QuadraticMatching& structure, const std::vector<Output>& outputs,
               std::span<const double> s) {
  double best = -kInfinity;
  for (const Output& y : outputs) best = std::max(best, structure.score(s, y));
  return best;
}

TEST(LimitedSearch, EnclosesTheBestQuadraticMatchingWhateverTheLimit) {
  Random random(1);
  QuadraticMatching::Scratch scratch;
  Index missed = 0, open = 0;
  for (Index trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE(trial);
    const QuadraticInstance instance(4, 4, 1, random);
    const QuadraticMatching& structure = instance.structure();
    const std::vector<double> s = instance.scores(Scores::kSmall, random);
    const double best = best_of(structure, instance.outputs(), s);
    for (const Index limit : {Index{1}, Index{2}, Index{3}, QuadraticSearch::kNoLimit}) {
      Output y;
      const MaximumBounds found = Limited(structure, limit).search(s, scratch, y);
      ASSERT_TRUE(structure.legal(y));
      EXPECT_EQ(found.value, structure.score(s, y));
      EXPECT_LE(found.value, best);
      EXPECT_GE(found.upper, best - 1e-12);
      EXPECT_EQ(scratch.search.summary().proven, found.upper == found.value);
      if (limit == QuadraticSearch::kNoLimit) {
        EXPECT_TRUE(scratch.search.summary().proven);
      }
      open += found.upper > found.value ? 1 : 0;
      missed += found.value < best - 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GT(open, 5U);
  EXPECT_GT(missed, 0U);
}

// Every edge with nearly the same score, and rewards for edges anywhere: no bound rules much out.
class HardQuadratic {
 public:
  explicit HardQuadratic(std::uint32_t n, std::uint64_t seed = 3)
      : edges_(all_edges(n)), graph_(n, n, edges_), pairs_(draw_pairs(seed)) {
    Random random(seed);
    s_.resize(structure().num_parts());
    for (Index p = 0; p < s_.size(); ++p) {
      s_[p] = p < edges_.size() ? 1 + 0.01 * random.normal() : random.uniform();
    }
  }
  QuadraticMatching structure() const { return {graph_, 1, pairs_}; }
  std::span<const double> scores() const { return s_; }

 private:
  static std::vector<MatchingEdges::Edge> all_edges(std::uint32_t n) {
    std::vector<MatchingEdges::Edge> edges;
    for (std::uint32_t e = 0; e < n * n; ++e) edges.push_back({e / n, e % n});
    return edges;
  }
  std::vector<EdgePair> draw_pairs(std::uint64_t seed) const {
    Random random(seed, 1);
    std::vector<EdgePair> pairs;
    for (std::uint32_t a = 0; a < edges_.size(); ++a) {
      for (std::uint32_t b = a + 1; b < edges_.size(); ++b) {
        if (random.below(8) == 0) pairs.push_back({a, b});
      }
    }
    return pairs;
  }

  std::vector<MatchingEdges::Edge> edges_;
  MatchingEdges graph_;
  std::vector<EdgePair> pairs_;
  std::vector<double> s_;
};

TEST(LimitedSearch, BoundsTheWorkOnAProblemThatTheSearchDoesNotFinish) {
  const HardQuadratic problem(12);
  const QuadraticMatching structure = problem.structure();
  QuadraticMatching::Scratch scratch;
  double value = -kInfinity;
  for (const Index limit : {Index{1}, Index{20}, Index{200}}) {
    Output y, again;
    const MaximumBounds found = Limited(structure, limit).search(problem.scores(), scratch, y);
    const QuadraticMatching::Search search = scratch.search.summary();
    EXPECT_FALSE(search.proven);
    EXPECT_GE(search.nodes, limit);
    EXPECT_LE(search.nodes, limit + structure.num_edges());
    EXPECT_GT(found.upper, found.value);
    EXPECT_GE(found.value, value - 0.5) << "more work should not find much less";
    value = found.value;
    QuadraticMatching::Scratch fresh;
    Limited(structure, limit).search(problem.scores(), fresh, again);
    EXPECT_EQ(again, y);
  }
}

TEST(LimitedSearch, TheKBestSayWhatTheyMayHaveLeftOut) {
  Random random(2);
  QuadraticMatching::Scratch scratch;
  Index open = 0;
  for (Index trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const QuadraticInstance instance(4, 4, 1, random);
    const QuadraticMatching& structure = instance.structure();
    const std::vector<double> s = instance.scores(Scores::kSmall, random);
    const std::vector<Output> all = instance.outputs();
    for (const Index limit : {Index{1}, Index{2}, QuadraticSearch::kNoLimit}) {
      std::vector<ScoredOutput<Output>> best;
      const double left_out = structure.k_best_within(limit, s, 10, scratch, best);
      ASSERT_FALSE(best.empty());
      ASSERT_LE(best.size(), 10U);
      const double last = best.size() < 10 ? -kInfinity : best.back().score;
      for (const Output& y : all) {
        const bool known =
            std::any_of(best.begin(), best.end(), [&](const auto& one) { return one.output == y; });
        if (!known) {
          EXPECT_LE(structure.score(s, y), std::max(left_out, last) + 1e-12);
        }
      }
      open += left_out > -kInfinity ? 1 : 0;
      if (limit == QuadraticSearch::kNoLimit) {
        EXPECT_EQ(left_out, -kInfinity);
      }
    }
  }
  EXPECT_GT(open, 0U);
}

TEST(LimitedSearch, EnclosesTheBestAssignmentWhateverTheLimit) {
  using namespace factor_instances;
  FactorGraph::Scratch scratch;
  Index open = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomFactorGraph draw(seed);
    const FactorGraphLayout layout = draw.any(3 + seed % 10);
    if (num_assignments(layout) > 5000) continue;
    const std::vector<double> s = normal_scores(layout, 1, draw.random());
    const FactorGraph graph(layout);
    const double best = best_score(layout, s);
    for (const Index limit : {Index{1}, Index{2}, MapLimits::kNone}) {
      Values y;
      const MaximumBounds found = LimitedSearch<FactorGraph>(graph, limit).search(s, scratch, y);
      EXPECT_LE(found.value, best);
      EXPECT_GE(found.upper, best - 1e-9);
      EXPECT_EQ(y.empty(), found.value == -kInfinity);
      if (limit == MapLimits::kNone) {
        EXPECT_EQ(found.upper, found.value);
      }
      open += found.upper > found.value ? 1 : 0;
    }
  }
  EXPECT_GT(open, 0U);
}

}  // namespace
}  // namespace trellis
