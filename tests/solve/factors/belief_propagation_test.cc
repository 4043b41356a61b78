#include "trellis/solve/factors/belief_propagation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "tests/solve/factors/random_factor_graphs.h"

namespace trellis {
namespace {

using random_graphs::Cycles;
using random_graphs::enumerate_sums;
using random_graphs::random_graph;
using random_graphs::Sums;

constexpr MessageSchedule kSchedules[] = {MessageSchedule::kFlooding, MessageSchedule::kSweep,
                                          MessageSchedule::kResidual};

void check_exact(const FactorGraphLayout& graph, const std::vector<double>& s,
                 BeliefPropagation& beliefs) {
  const Sums sums = enumerate_sums(graph, s);
  std::vector<double> marginals(graph.num_parts());
  for (const MessageSchedule schedule : kSchedules) {
    SCOPED_TRACE(to_string(schedule));
    BeliefOptions options;
    options.schedule = schedule;
    const double value = beliefs.log_sum(graph, s, options, marginals);
    if (sums.best.empty()) {
      EXPECT_EQ(value, -kInfinity);
      continue;
    }
    EXPECT_TRUE(beliefs.convergence().converged);
    const double tolerance = 1e-10 + 1e-13 * sums.magnitude;
    ASSERT_NEAR(value, static_cast<double>(sums.log_sum), tolerance);
    for (Index p = 0; p < s.size(); ++p) {
      EXPECT_NEAR(marginals[p], static_cast<double>(sums.marginals[p]), tolerance) << p;
    }
    EXPECT_NEAR(beliefs.entropy(graph, s, options), static_cast<double>(sums.entropy), tolerance);
  }
}

TEST(BeliefPropagation, IsExactWithoutCycles) {
  Random random(11);
  BeliefPropagation beliefs;
  for (Index trial = 0; trial < 12; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kNone, 1 + random.below(6), 6, random);
    for (const double scale : {0.01, 1.0, 30.0, 1e3, 1e6}) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << " scale " << scale);
      check_exact(graph, random_graphs::draw_scores(graph.num_parts(), scale, random), beliefs);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(BeliefPropagation, GivesBeliefsOnAnyGraph) {
  Random random(12);
  BeliefPropagation beliefs;
  for (Index trial = 0; trial < 200; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 1 + random.below(8), 7, random);
    std::vector<double> marginals(graph.num_parts());
    for (const double scale : {0.01, 1.0, 1e3, 1e9}) {
      const auto s = random_graphs::draw_scores(graph.num_parts(), scale, random);
      for (const MessageSchedule schedule : kSchedules) {
        BeliefOptions options;
        options.schedule = schedule;
        options.max_iterations = 20;
        options.damping = 0.3;
        const double value = beliefs.log_sum(graph, s, options, marginals);
        EXPECT_FALSE(std::isnan(value));
        EXPECT_LE(beliefs.convergence().iterations, 20U);
        for (const double p : marginals) EXPECT_TRUE(p >= 0 && p <= 1 + 1e-4) << p;
      }
    }
  }
}

// The fixed point does not depend on how it was reached: an attractive cycle of four.
TEST(BeliefPropagation, AgreesWithItselfUnderDampingAndSchedules) {
  FactorGraphBuilder builder;
  std::vector<std::uint32_t> states;
  for (Index i = 0; i < 4; ++i) states.push_back(builder.state(builder.add_switch()));
  for (Index i = 0; i < 4; ++i) builder.add_pair(states[i], states[(i + 1) % 4]);
  const FactorGraphLayout graph = builder.build();
  const std::vector<double> s = {0.3, -0.7, 0.2, -0.4, 1.0, 0.5, 0.8, 0.6};
  BeliefPropagation beliefs;
  std::vector<double> marginals(graph.num_parts());
  const double value = beliefs.log_sum(graph, s, {}, marginals);
  EXPECT_TRUE(beliefs.convergence().converged);
  EXPECT_NEAR(value, static_cast<double>(enumerate_sums(graph, s).log_sum), 0.05);
  for (const MessageSchedule schedule : kSchedules) {
    for (const double damping : {0.0, 0.5}) {
      BeliefOptions options;
      options.schedule = schedule;
      options.damping = damping;
      EXPECT_NEAR(beliefs.log_sum(graph, s, options, marginals), value, 1e-8);
      EXPECT_TRUE(beliefs.convergence().converged);
    }
  }
}

// All arcs between n words, one TREE over them, and pairs of siblings and of grandparents: the
// graph of Martins et al. (2010), appendix A.
struct PairedTree {
  explicit PairedTree(std::uint32_t n) {
    FactorGraphBuilder builder;
    for (std::uint32_t m = 1; m <= n; ++m) {
      for (std::uint32_t h = 0; h <= n; ++h) {
        if (h != m) arcs.push_back({h, m, builder.state(builder.add_switch())});
      }
    }
    builder.add_tree(n, arcs, Roots::kAny);
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
      for (std::uint32_t b = 0; b < arcs.size(); ++b) {
        const bool siblings = arcs[a].head == arcs[b].head && arcs[a].modifier < arcs[b].modifier;
        const bool line = arcs[a].modifier == arcs[b].head && arcs[a].head != arcs[b].modifier;
        if (!siblings && !line) continue;
        builder.add_pair(arcs[a].state, arcs[b].state);
        pairs.emplace_back(a, b);
      }
    }
    graph = builder.build();
    for (const auto& values : random_graphs::legal_assignments(graph)) trees.push_back(values);
  }

  // Entropy of the distribution over trees ∝ exp Σ θ_a z_a whose marginals are `z`, by generalised
  // iterative scaling (Darroch & Ratcliff 1972): each tree has n arcs.
  double tree_entropy(std::span<const double> z) const {
    std::vector<double> theta(arcs.size(), 0.0), mu(arcs.size());
    double entropy = 0;
    for (int step = 0; step < 20000; ++step) {
      double total = 0, mean = 0;
      std::ranges::fill(mu, 0.0);
      for (const auto& tree : trees) {
        double score = 0;
        for (Index a = 0; a < arcs.size(); ++a) score += tree[a] == 1 ? theta[a] : 0;
        const double weight = std::exp(score);
        total += weight;
        mean += weight * score;
        for (Index a = 0; a < arcs.size(); ++a) mu[a] += tree[a] == 1 ? weight : 0;
      }
      entropy = std::log(total) - mean / total;
      for (Index a = 0; a < arcs.size(); ++a) theta[a] += std::log(z[a] * total / mu[a]) / 3;
    }
    return entropy;
  }

  // Eq. (19) with (18) at the pseudo-marginals z.
  double bethe(std::span<const double> s, std::span<const double> z) const {
    double value = tree_entropy(z);
    for (Index p = 0; p < s.size(); ++p) value += s[p] * z[p];
    for (Index k = 0; k < pairs.size(); ++k) {
      const auto [a, b] = pairs[k];
      const double both = z[arcs.size() + k];
      const double joint[2][2] = {{1 - z[a] - z[b] + both, z[b] - both}, {z[a] - both, both}};
      for (const int i : {0, 1}) {
        for (const int j : {0, 1}) {
          const double apart = (i == 1 ? z[a] : 1 - z[a]) * (j == 1 ? z[b] : 1 - z[b]);
          value -= joint[i][j] * std::log(joint[i][j] / apart);
        }
      }
    }
    return value;
  }

  std::vector<TreeArc> arcs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  FactorGraphLayout graph;
  std::vector<random_graphs::Values> trees;
};

TEST(BeliefPropagation, OfATreeWithPairsIsThePapersVariationalValue) {
  const PairedTree instance(3);
  BeliefPropagation beliefs;
  std::vector<double> z(instance.graph.num_parts());
  for (const std::uint64_t seed : {1, 2, 3}) {
    Random random(seed);
    const std::vector<double> s = random_graphs::draw_scores(z.size(), 0.5, random);
    const double value = beliefs.log_sum(instance.graph, s, {}, z);
    ASSERT_TRUE(beliefs.convergence().converged);
    EXPECT_NEAR(value, instance.bethe(s, z), 1e-6);
    EXPECT_NE(value, static_cast<double>(enumerate_sums(instance.graph, s).log_sum));
  }
}

TEST(BeliefPropagation, BeliefsThatConvergedAreTheGradient) {
  const PairedTree instance(3);
  BeliefPropagation beliefs;
  std::vector<double> z(instance.graph.num_parts()), ignored(z.size());
  Random random(4);
  std::vector<double> s = random_graphs::draw_scores(z.size(), 0.5, random);
  beliefs.log_sum(instance.graph, s, {}, z);
  ASSERT_TRUE(beliefs.convergence().converged);
  for (Index p = 0; p < s.size(); ++p) {
    const double at = s[p], h = 1e-4;
    s[p] = at + h;
    const double above = beliefs.log_sum(instance.graph, s, {}, ignored);
    s[p] = at - h;
    const double below = beliefs.log_sum(instance.graph, s, {}, ignored);
    s[p] = at;
    EXPECT_NEAR(z[p], (above - below) / (2 * h), 1e-6) << p;
  }
}

TEST(BeliefPropagation, SeesThatNothingIsLegal) {
  FactorGraphBuilder builder;
  const std::uint32_t a = builder.state(builder.add_switch());
  const std::uint32_t b = builder.state(builder.add_switch());
  builder.add_one_of(std::vector<Literal>{{a}});
  builder.add_one_of(std::vector<Literal>{{a}, {b}});
  builder.add_one_of(std::vector<Literal>{{b}});
  const FactorGraphLayout graph = builder.build();
  BeliefPropagation beliefs;
  std::vector<double> marginals(graph.num_parts());
  for (const double scale : {1.0, 1e6}) {
    const std::vector<double> s = {scale, -scale};
    EXPECT_EQ(beliefs.log_sum(graph, s, {}, marginals), -kInfinity);
    EXPECT_EQ(marginals, (std::vector<double>{0, 0}));
  }
}

}  // namespace
}  // namespace trellis
