#include "trellis/solve/factors/factor_maximum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solve/factors/factor_instance.h"
#include "trellis/solve/factors/active_set.h"
#include "trellis/solve/factors/factor_projection.h"

namespace trellis::factor_instances {
namespace {

using Links = std::vector<std::uint32_t>;

constexpr FactorKind kAllKinds[] = {
    FactorKind::kTable, FactorKind::kSequence, FactorKind::kPair,
    FactorKind::kHead,  FactorKind::kOneOf,    FactorKind::kAtMostOne,
    FactorKind::kOr,    FactorKind::kBudget,   FactorKind::kTree};

// A factor alone, all that it allows, and scores.
struct SingleFactor {
  SingleFactor(FactorKind kind, std::uint64_t seed) : draw(seed), graph(draw.single(kind)) {
    if (graph.num_factors() == 0) return;  // a kind for which there were no variables
    each_assignment(graph, [&](const Values& values) {
      if (!graph.legal(factor(), values)) return;
      Links on;
      for (Index l = 0; l < graph.num_links(); ++l) {
        if (graph.is_on(graph.link(l).state, values)) on.push_back(static_cast<std::uint32_t>(l));
      }
      if (std::ranges::find(vertices, on) == vertices.end()) vertices.push_back(on);
    });
    draw_scores(1);
  }
  void draw_scores(double size) {
    s.assign(graph.num_parts(), 0.0);
    c.assign(graph.num_links(), 0.0);
    for (double& score : s) score = size * draw.random().normal();
    for (double& score : c) score = size * draw.random().normal();
  }
  const FactorGraphLayout::Factor& factor() const { return graph.factor(0); }
  double own(std::span<const std::uint32_t> on) const {
    double sum = 0;
    each_part_of_links(graph, factor(), on, [&](Index part) { sum += s[part]; });
    return sum;
  }
  double value(std::span<const double> scores, const Links& on) const {
    double sum = own(on);
    for (const std::uint32_t l : on) sum += scores[l];
    return sum;
  }
  double best(std::span<const double> scores) const {
    double best = -kInfinity;
    for (const Links& on : vertices) best = std::max(best, value(scores, on));
    return best;
  }

  RandomFactorGraph draw;
  FactorGraphLayout graph;
  std::vector<Links> vertices;
  std::vector<double> s, c;
};

template <class Body>
void each_single_factor(Index seeds, const Body& body) {
  for (const FactorKind kind : kAllKinds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(::testing::Message() << to_string(kind) << " " << seed);
      SingleFactor single(kind, seed);
      if (single.graph.num_factors() > 0) body(kind, single);
    }
  }
}

TEST(FactorMaximum, IsThatOfEnumeration) {
  FactorMaximum maximum;
  Links on;
  each_single_factor(40, [&](FactorKind, SingleFactor& single) {
    for (const double size : {1.0, 1e6}) {
      single.draw_scores(size);
      const double value = maximum.solve(single.graph, single.factor(), single.c, single.s, on);
      const double best = single.best(single.c);
      if (best == -kInfinity) {
        EXPECT_EQ(value, best);
        EXPECT_TRUE(on.empty());
        continue;
      }
      EXPECT_NEAR(value, best, 1e-12 * size);
      ASSERT_NE(std::ranges::find(single.vertices, on), single.vertices.end());
      EXPECT_NEAR(single.value(single.c, on), best, 1e-12 * size);
    }
  });
}

// At the minimum no vertex is better than the mix for the scores b − ηq.
TEST(ActiveSet, LeavesNoBetterVertex) {
  FactorMaximum maximum;
  Links on;
  std::vector<double> direction, closed, memory;
  each_single_factor(25, [&](FactorKind kind, SingleFactor& single) {
    ActiveSet set;
    const auto maximize = [&](std::span<const double> scores, Links& best) {
      return maximum.solve(single.graph, single.factor(), scores, single.s, best);
    };
    const auto own = [&](std::span<const std::uint32_t> links) { return single.own(links); };
    std::vector<double> q(single.c.size());
    for (const double eta : {1.0, 1.0, 0.1, 30.0}) {  // the set goes on from scores to scores
      for (double& score : single.c) score += 0.3 * single.draw.random().normal();
      const ActiveSet::Outcome outcome =
          set.solve(single.c, eta, maximize, own, 1000, direction, on, q);
      if (single.vertices.empty()) {
        EXPECT_EQ(outcome, ActiveSet::Outcome::kNoVertex);
        return;
      }
      ASSERT_EQ(outcome, ActiveSet::Outcome::kDone);
      std::vector<double> scores(q.size()), mix(q.size(), 0.0);
      for (Index l = 0; l < q.size(); ++l) scores[l] = single.c[l] - eta * q[l];
      double reached = 0, weights = 0;
      set.each_vertex([&](double weight, const Links& vertex) {
        EXPECT_GE(weight, 0.0);
        weights += weight;
        reached += weight * single.value(scores, vertex);
        for (const std::uint32_t l : vertex) mix[l] += weight;
      });
      EXPECT_NEAR(weights, 1, 1e-12);
      for (Index l = 0; l < q.size(); ++l) EXPECT_NEAR(mix[l], q[l], 1e-12);
      EXPECT_LE(single.best(scores), reached + 1e-9);
      if (kind == FactorKind::kPair) {
        // Of several at once, since the loop takes more than one in a step.
        const double score = single.s[single.factor().parts_begin];
        const std::vector<double> scores_of(5, score), b1(5, single.c[0]), b2(5, single.c[1]);
        std::vector<double> q1(5), q2(5);
        const auto project = score < 0 ? project_repulsive_pairs : project_attractive_pairs;
        project(scores_of.data(), b1.data(), b2.data(), 1 / eta, 5, q1.data(), q2.data());
        for (Index k = 0; k < 5; ++k) {
          EXPECT_NEAR(q1[k], q[0], 1e-9);
          EXPECT_NEAR(q2[k], q[1], 1e-9);
        }
      } else if (kind >= FactorKind::kOneOf && kind <= FactorKind::kBudget) {
        closed = single.c;
        for (double& value : closed) value /= eta;
        project_logical(kind, single.graph.links(single.factor()), single.factor().detail, closed,
                        closed, memory);
        for (Index l = 0; l < q.size(); ++l) EXPECT_NEAR(closed[l], q[l], 1e-9);
      }
    }
  });
}

TEST(ActiveSet, GoesOnWhereItStopped) {
  FactorMaximum maximum;
  Links on;
  Index calls = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SingleFactor single(FactorKind::kTree, seed);
    std::vector<double> direction, q(single.c.size()), whole(single.c.size());
    const auto maximize = [&](std::span<const double> scores, Links& best) {
      return maximum.solve(single.graph, single.factor(), scores, single.s, best);
    };
    const auto own = [&](std::span<const std::uint32_t> links) { return single.own(links); };
    if (single.vertices.empty()) continue;
    ActiveSet set, other;
    do {
      ASSERT_LT(++calls, 1000U);
    } while (set.solve(single.c, 20, maximize, own, 1, direction, on, q) !=
             ActiveSet::Outcome::kDone);
    other.solve(single.c, 20, maximize, own, 1000, direction, on, whole);
    for (Index l = 0; l < q.size(); ++l) EXPECT_NEAR(q[l], whole[l], 1e-9);
  }
  EXPECT_GT(calls, 25U);
}

}  // namespace
}  // namespace trellis::factor_instances
