#include "trellis/solve/factors/reweighted_sums.h"

#include <gtest/gtest.h>

#include "tests/solve/factors/random_factor_graphs.h"
#include "trellis/solve/factors/factor_sums.h"

namespace trellis {
namespace {

using random_graphs::Cycles;
using random_graphs::draw_scores;
using random_graphs::enumerate_sums;
using random_graphs::random_graph;
using random_graphs::Sums;

double rounding(const Sums& sums) {
  return 1e-9 + 1e-12 * sums.magnitude;
}

TEST(ReweightedSums, AreNeverBelowWhateverTheIteration) {
  Random random(21);
  ReweightedSums reweighted;
  for (Index trial = 0; trial < 25; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 2 + random.below(8), 6, random);
    const ForestCover cover(graph);
    std::vector<double> marginals(graph.num_parts());
    for (const double scale : {0.01, 1.0, 10.0, 1e3, 1e6}) {
      const auto s = draw_scores(graph.num_parts(), scale, random);
      const Sums sums = enumerate_sums(graph, s);
      double first = kInfinity;
      for (const Index evaluations : {1, 2, 3, 5, 10, 50}) {
        SCOPED_TRACE(testing::Message() << trial << " scale " << scale << " " << evaluations);
        const double bound = reweighted.log_sum(cover, s, {evaluations, 0}, marginals);
        ASSERT_FALSE(std::isnan(bound));
        if (sums.best.empty() && bound == -kInfinity) break;
        EXPECT_GE(bound, static_cast<double>(sums.log_sum) - rounding(sums));
        EXPECT_LE(bound, first + rounding(sums)) << "above where it began";
        if (evaluations == 1) first = bound;
        for (const double p : marginals) EXPECT_TRUE(p >= 0 && p <= 1 + 1e-9) << p;
      }
    }
  }
}

TEST(ReweightedSums, AreExactWithoutCycles) {
  Random random(22);
  ReweightedSums reweighted;
  for (Index trial = 0; trial < 40; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kNone, 1 + random.below(6), 6, random);
    const ForestCover cover(graph);
    std::vector<double> marginals(graph.num_parts());
    for (const double scale : {0.01, 1.0, 1e3, 1e6}) {
      const auto s = draw_scores(graph.num_parts(), scale, random);
      const Sums sums = enumerate_sums(graph, s);
      const double value = reweighted.log_sum(cover, s, {}, marginals);
      if (sums.best.empty()) {
        EXPECT_EQ(value, -kInfinity);
        continue;
      }
      EXPECT_TRUE(reweighted.convergence().converged);
      EXPECT_NEAR(value, static_cast<double>(sums.log_sum), rounding(sums));
      EXPECT_NEAR(reweighted.entropy(cover, s, {}), static_cast<double>(sums.entropy),
                  rounding(sums));
      for (Index p = 0; p < s.size(); ++p) {
        EXPECT_NEAR(marginals[p], static_cast<double>(sums.marginals[p]), rounding(sums));
      }
    }
  }
}

// With one evaluation the bound is a fixed function of s, and marginals are its derivatives.
TEST(ReweightedSums, MarginalsAreTheGradient) {
  Random random(23);
  ReweightedSums reweighted;
  for (Index trial = 0; trial < 12; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 2 + random.below(6), 6, random);
    const ForestCover cover(graph);
    auto s = draw_scores(graph.num_parts(), 1, random);
    std::vector<double> marginals(graph.num_parts()), ignored(graph.num_parts());
    for (const ReweightedOptions options :
         {ReweightedOptions{1, 0}, ReweightedOptions{500, 1e-6}}) {
      if (reweighted.log_sum(cover, s, options, marginals) == -kInfinity) break;
      if (options.max_evaluations > 1 && !reweighted.convergence().converged) continue;
      for (Index p = 0; p < s.size(); ++p) {
        const double h = 1e-4, at = s[p];
        bool all_converged = options.max_evaluations == 1;
        s[p] = at + h;
        const double above = reweighted.log_sum(cover, s, options, ignored);
        const bool converged = reweighted.convergence().converged;
        s[p] = at - h;
        const double below = reweighted.log_sum(cover, s, options, ignored);
        all_converged |= converged && reweighted.convergence().converged;
        s[p] = at;
        if (!all_converged) continue;
        EXPECT_NEAR(marginals[p], (above - below) / (2 * h), 1e-4) << trial << " " << p;
      }
    }
  }
}

TEST(ReweightedSums, SayHowFarForestsDisagree) {
  Random random(24);
  ReweightedSums reweighted;
  Index converged = 0;
  for (Index trial = 0; trial < 25; ++trial) {
    const FactorGraphLayout graph = random_graph(Cycles::kAny, 2 + random.below(6), 6, random);
    const ForestCover cover(graph);
    const auto s = draw_scores(graph.num_parts(), 1, random);
    std::vector<double> marginals(graph.num_parts());
    const double value = reweighted.log_sum(cover, s, {1000, 1e-6}, marginals);
    if (value == -kInfinity) continue;
    const Convergence convergence = reweighted.convergence();
    EXPECT_EQ(convergence.converged, convergence.residual <= 1e-6);
    if (!convergence.converged) continue;
    ++converged;
    double expected = reweighted.entropy(cover, s, {1000, 1e-6});
    for (Index p = 0; p < s.size(); ++p) expected += s[p] * marginals[p];
    EXPECT_NEAR(value, expected, 1e-3);
  }
  EXPECT_GT(converged, 10U);
}

// All arcs between three words, one root, a HEAD for each word and side, and pairs of grandparents.
FactorGraphLayout small_parser() {
  FactorGraphBuilder builder;
  std::vector<TreeArc> arcs;
  for (std::uint32_t m = 1; m <= 3; ++m) {
    for (std::uint32_t h = 0; h <= 3; ++h) {
      if (h != m) arcs.push_back({h, m, builder.state(builder.add_switch())});
    }
  }
  builder.add_tree(3, arcs, Roots::kOne);
  for (std::uint32_t h = 0; h <= 3; ++h) {
    std::vector<std::uint32_t> left, right;
    for (const TreeArc& arc : arcs) {
      if (arc.head == h) (arc.modifier < h ? left : right).push_back(arc.state);
    }
    if (!left.empty()) builder.add_head(left);
    if (!right.empty()) builder.add_head(right);
  }
  for (const TreeArc& upper : arcs) {
    for (const TreeArc& lower : arcs) {
      if (lower.head == upper.modifier && lower.modifier != upper.head) {
        builder.add_pair(upper.state, lower.state);
      }
    }
  }
  return builder.build();
}

// What each factor would make of its own scores by itself, added up.
double naive_bound(const FactorGraphLayout& graph, const std::vector<double>& s) {
  FactorSums sums;
  double total = 0;
  for (Index number = 0; number < graph.num_factors(); ++number) {
    const FactorGraphLayout::Factor& f = graph.factor(number);
    std::vector<double> eta(f.links_end - f.links_begin, 0.0), messages(eta.size());
    std::vector<double> own(s.begin() + static_cast<std::ptrdiff_t>(f.parts_begin),
                            s.begin() + static_cast<std::ptrdiff_t>(f.parts_end));
    if (f.kind == FactorKind::kTree) {
      for (Index l = 0; l < eta.size(); ++l) eta[l] = s[graph.links(f)[l].state];
      total += sums.sum(graph, f, eta, own, messages);
    } else {
      for (double& score : own) score *= 1e6;  // the largest sum of them
      total += sums.sum(graph, f, eta, own, messages) / 1e6;
    }
  }
  return total;
}

TEST(ReweightedSums, OfAParserAreMuchTighterThanWhatFactorsMakeByThemselves) {
  const FactorGraphLayout graph = small_parser();
  const ForestCover cover(graph);
  ReweightedSums reweighted;
  Random random(25);
  std::vector<double> marginals(graph.num_parts());
  double above = 0, naive_above = 0;
  for (Index trial = 0; trial < 10; ++trial) {
    auto s = draw_scores(graph.num_parts(), 0.5, random);
    for (Index i = 0; i < graph.num_states(); ++i) s[i] *= 4;
    const auto exact = static_cast<double>(enumerate_sums(graph, s).log_sum);
    const double bound = reweighted.log_sum(cover, s, {}, marginals);
    EXPECT_GE(bound, exact - 1e-9);
    above += bound - exact;
    naive_above += naive_bound(graph, s) - exact;
  }
  EXPECT_LT(above, 0.2 * naive_above);
}

}  // namespace
}  // namespace trellis
