#include "trellis/solve/factors/map_search.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/solve/factors/factor_instance.h"

namespace trellis::factor_instances {
namespace {

enum class Scores { kNormal, kLarge, kTies, kZero };

std::vector<double> draw_scores(const FactorGraphLayout& graph, Scores kind, Random& random) {
  if (kind == Scores::kNormal) return normal_scores(graph, 1, random);
  if (kind == Scores::kLarge) return normal_scores(graph, 1e6, random);
  std::vector<double> s(graph.num_parts(), 0.0);
  if (kind == Scores::kZero) return s;
  for (double& score : s) score = static_cast<double>(random.below(3)) - 1;
  return s;
}

TEST(MapSearch, FindsTheBestAssignment) {
  MapSearch search;
  Values values;
  Index impossible = 0, searched = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(3 + seed % 10);
    if (num_assignments(graph) > 5000) continue;
    for (const Scores kind : {Scores::kNormal, Scores::kLarge, Scores::kTies, Scores::kZero}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " kind " << static_cast<int>(kind));
      const std::vector<double> s = draw_scores(graph, kind, draw.random());
      const MapResult result = search.solve(graph, s, values);
      EXPECT_EQ(result.value, best_score(graph, s));
      searched += result.runs > 1 ? 1 : 0;
      if (result.value == -kInfinity) {
        ++impossible;
        EXPECT_TRUE(values.empty());
        continue;
      }
      EXPECT_TRUE(graph.legal(values));
      EXPECT_EQ(graph.score(s, values), result.value);
    }
  }
  EXPECT_GT(impossible, 5U);
  EXPECT_GT(searched, 30U);
}

TEST(MapSearch, KeepsToWhatIsRequired) {
  MapSearch search;
  Values values;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(6);
    if (num_assignments(graph) > 5000) continue;
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    std::vector<Literal> required;
    for (std::uint32_t i = 0; i < graph.num_states(); ++i) {
      if (draw.random().below(4) == 0) required.push_back({i, draw.random().below(2) == 0});
    }
    double best = -kInfinity;
    each_assignment(graph, [&](const Values& candidate) {
      for (const Literal& literal : required) {
        if (!graph.holds(literal, candidate)) return;
      }
      if (graph.legal(candidate)) best = std::max(best, graph.score(s, candidate));
    });
    EXPECT_EQ(search.solve(graph, s, required, values).value, best);
  }
}

// Searches small graphs within each of the limits, and says how often one gave up.
Index searches_given_up(std::initializer_list<MapLimits> tried) {
  MapSearch search;
  Values values;
  Index given_up = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(12);
    if (num_assignments(graph) > 5000) continue;
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    const double best = best_score(graph, s);
    for (const MapLimits& limits : tried) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " runs " << limits.runs
                                        << " iterations " << limits.iterations);
      const MapResult result = search.solve(graph, s, {}, values, limits);
      EXPECT_LE(result.runs, limits.runs);
      EXPECT_LE(result.iterations, limits.iterations);
      EXPECT_LE(result.value, best);
      EXPECT_GE(result.upper, best - 1e-11);
      EXPECT_TRUE(!result.proven || result.value == best);
      EXPECT_EQ(values.empty(), result.value == -kInfinity);
      given_up += result.proven ? 0 : 1;
    }
  }
  return given_up;
}

TEST(MapSearch, SaysWhereItGaveUp) {
  EXPECT_GT(searches_given_up({{.runs = 1}}), 2U);
}

TEST(MapSearch, GivesUpAfterSoManyIterations) {
  EXPECT_GT(searches_given_up({{.iterations = 1}, {.iterations = 7}, {.iterations = 40}}), 20U);
}

TEST(MapSearch, LooksOnlyForWhatScoresAbove) {
  MapSearch search;
  Values values;
  Index none = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(9);
    if (num_assignments(graph) > 5000) continue;
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    const double best = best_score(graph, s);
    for (const double above : {best - 1, best - 1e-3, best + 1e-3}) {
      const MapResult result = search.solve(graph, s, {}, values, {.above = above});
      EXPECT_TRUE(result.proven);
      EXPECT_EQ(result.value, best > above ? best : -kInfinity);
      EXPECT_EQ(result.upper, std::max(best, above));
      none += result.value == -kInfinity ? 1 : 0;
    }
  }
  EXPECT_GT(none, 20U);
}

TEST(MapSearch, IsTheSameWhateverItHasSolvedBefore) {
  MapSearch used;
  Values values, again;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(9);
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    MapSearch fresh;
    const MapResult first = fresh.solve(graph, s, values);
    const MapResult second = used.solve(graph, s, again);
    EXPECT_EQ(values, again);
    EXPECT_EQ(first.value, second.value);
    EXPECT_EQ(first.iterations, second.iterations);
  }
}

}  // namespace
}  // namespace trellis::factor_instances
