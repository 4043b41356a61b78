#include "trellis/solve/factors/ad3.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solve/factors/factor_instance.h"

namespace trellis::factor_instances {
namespace {

TEST(Ad3, BoundsTheBestAssignment) {
  Ad3 ad3;
  Index integral = 0, legal = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(3 + seed % 6);
    if (num_assignments(graph) > 5000) continue;
    for (const double size : {1.0, 1e6, 1e-12}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " size " << size);
      const std::vector<double> s = normal_scores(graph, size, draw.random());
      std::vector<double> z(graph.num_parts());
      const Ad3Result result = ad3.solve(graph, s, {}, z);
      const double best = best_score(graph, s);
      EXPECT_GE(result.upper, best - 1e-12 * size * static_cast<double>(s.size()));
      EXPECT_LE(result.lower, best);
      if (best == -kInfinity) continue;
      ++legal;
      EXPECT_TRUE(result.convergence.converged);
      if (result.lower > -kInfinity) {
        EXPECT_TRUE(graph.legal(ad3.assignment()));
        EXPECT_EQ(graph.score(s, ad3.assignment()), result.lower);
      }
      if (!result.integral) continue;
      ++integral;
      EXPECT_NEAR(result.lower, best, 1e-8 * (size + std::abs(best)));
      std::vector<double> whole(z.size());
      graph.indicator(ad3.assignment(), whole);
      EXPECT_EQ(z, whole);
      EXPECT_EQ(result.convergence.residual, 0);
    }
  }
  EXPECT_GT(integral, legal / 2);
  EXPECT_LT(integral, legal);
}

TEST(Ad3, BoundsHoldAfterAnyNumberOfIterations) {
  Ad3 ad3;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(8);
    if (num_assignments(graph) > 5000) continue;
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    std::vector<double> z(graph.num_parts());
    const double best = best_score(graph, s);
    for (const Index iterations : {1, 2, 5, 17}) {
      Ad3Options options;
      options.max_iterations = iterations;
      const Ad3Result result = ad3.solve(graph, s, options, z);
      EXPECT_LE(result.convergence.iterations, iterations);
      EXPECT_GE(result.upper, best - 1e-11);
      EXPECT_LE(result.lower, best);
    }
  }
}

TEST(Ad3, IsTheSameWhateverItHasSolvedBefore) {
  Ad3 used;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(8);
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    std::vector<double> z(graph.num_parts()), again(graph.num_parts());
    Ad3 fresh;
    const Ad3Result first = fresh.solve(graph, s, {}, z);
    const Ad3Result second = used.solve(graph, s, {}, again);
    EXPECT_EQ(z, again);
    EXPECT_EQ(first.upper, second.upper);
    EXPECT_EQ(first.lower, second.lower);
    EXPECT_EQ(first.convergence.iterations, second.convergence.iterations);
  }
}

TEST(Ad3, FractionsAreFoundWhereTheyAreBest) {
  // A triangle of variables that want to differ, of two states each: half of each is best.
  FactorGraphBuilder builder;
  Values v;
  for (Index k = 0; k < 3; ++k) v.push_back(static_cast<std::uint32_t>(builder.add_variable(2)));
  for (Index k = 0; k < 3; ++k) builder.add_table(Values{v[k], v[(k + 1) % 3]});
  const FactorGraphLayout graph = builder.build();
  std::vector<double> s(graph.num_parts(), 0.0), z(graph.num_parts());
  for (Index f = 0; f < 3; ++f) {
    s[graph.factor(f).parts_begin + 1] = s[graph.factor(f).parts_begin + 2] = 1;
  }
  Ad3 ad3;
  const Ad3Result result = ad3.solve(graph, s, {}, z);
  EXPECT_FALSE(result.integral);
  EXPECT_NEAR(result.upper, 3, 1e-6);
  EXPECT_LE(result.lower, 2);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(z[i], 0.5, 1e-6);
}

TEST(Ad3, PairsWithoutScoreSayNothing) {
  Ad3 ad3;
  Index silent = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(8);
    if (num_assignments(graph) > 5000) continue;
    std::vector<double> s = normal_scores(graph, 1, draw.random());
    std::vector<Index> pairs;
    for (Index f = 0; f < graph.num_factors(); ++f) {
      if (graph.factor(f).kind != FactorKind::kPair) continue;
      pairs.push_back(f);
      if (draw.random().below(3) != 0) s[graph.factor(f).parts_begin] = 0;
      silent += s[graph.factor(f).parts_begin] == 0 ? 1 : 0;
    }
    std::vector<double> z(graph.num_parts());
    const Ad3Result result = ad3.solve(graph, s, {}, z);
    const double best = best_score(graph, s);
    EXPECT_GE(result.upper, best - 1e-11);
    EXPECT_LE(result.lower, best);
    if (best == -kInfinity) continue;
    double value = 0;
    for (Index part = 0; part < z.size(); ++part) value += s[part] * z[part];
    EXPECT_NEAR(value, result.upper, 1e-3);
    for (const Index f : pairs) {
      const std::span<const Literal> states = graph.links(graph.factor(f));
      const double first = z[states[0].state], second = z[states[1].state];
      const double both = z[graph.factor(f).parts_begin];
      EXPECT_GE(both, first + second - 1 - 1e-4);
      EXPECT_LE(both, std::min(first, second) + 1e-4);
    }
  }
  EXPECT_GT(silent, 50U);
}

TEST(Ad3, WhatIsImpliedHoldsWhereverMoreIsReached) {
  Ad3 ad3;
  Index found = 0, reached = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(8);
    if (num_assignments(graph) > 5000) continue;
    const std::vector<double> s = normal_scores(graph, 1, draw.random());
    const double best = best_score(graph, s);
    if (best == -kInfinity) continue;
    for (const double short_of : {0.0, 0.1, 1.0}) {
      for (const Index iterations : {1, 5, 20}) {
        SCOPED_TRACE(::testing::Message() << seed << ' ' << short_of << ' ' << iterations);
        Ad3Options options;
        options.max_iterations = iterations;
        options.gap = 0;
        std::vector<Literal> implied;
        ad3.begin(graph, s);
        const Ad3Result result = ad3.run(options, best - short_of, 1e-11, implied);
        const double least = std::max(best - short_of, result.lower) + 1e-11;
        for (const Literal& literal : implied) EXPECT_TRUE(ad3.is_fixed(literal.state));
        found += implied.size();
        each_assignment(graph, [&](const Values& values) {
          if (!graph.legal(values) || graph.score(s, values) <= least + 1e-11) return;
          ++reached;
          EXPECT_GE(result.upper, graph.score(s, values) - 1e-11);
          for (const Literal& literal : implied) EXPECT_TRUE(graph.holds(literal, values));
        });
      }
    }
  }
  EXPECT_GT(found, 500U);
  EXPECT_GT(reached, 500U);
}

TEST(Ad3, KnowsWhereNothingIsLegal) {
  Ad3 ad3;
  {  // a factor alone
    FactorGraphBuilder builder;
    const std::uint32_t a = builder.state(builder.add_switch());
    builder.add_tree(2, std::vector<TreeArc>{{2, 1, a}}, Roots::kAny);
    const FactorGraphLayout graph = builder.build();
    std::vector<double> z(1);
    EXPECT_EQ(ad3.solve(graph, std::vector{1.0}, {}, z).upper, -kInfinity);
  }
  {  // factors that contradict each other, also within the relaxation
    FactorGraphBuilder builder;
    std::vector<Literal> literals;
    for (Index k = 0; k < 3; ++k) literals.push_back({builder.state(builder.add_switch())});
    builder.add_budget(literals, 1);
    for (Literal& literal : literals) literal.negated = true;
    builder.add_at_most_one(literals);
    const FactorGraphLayout graph = builder.build();
    std::vector<double> z(3);
    for (const double size : {0.0, 1.0, 1e6}) {
      const Ad3Result result = ad3.solve(graph, std::vector(3, size), {}, z);
      EXPECT_EQ(result.upper, -kInfinity);
      EXPECT_EQ(result.lower, -kInfinity);
      EXPECT_FALSE(result.integral);
    }
  }
}

TEST(Ad3, VariablesMayBeWithoutFactors) {
  FactorGraphBuilder builder;
  builder.add_switch();
  builder.add_switch();
  builder.add_variable(3);
  const FactorGraphLayout graph = builder.build();
  std::vector<double> z(5);
  Ad3 ad3;
  const Ad3Result result = ad3.solve(graph, std::vector{2.0, -1.0, 0.5, 3.0, 1.0}, {}, z);
  EXPECT_TRUE(result.integral);
  EXPECT_EQ(result.lower, 5);
  EXPECT_EQ(z, (std::vector<double>{1, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace trellis::factor_instances
