#include "trellis/solve/arborescences/arborescence_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"

namespace trellis {
namespace {

// All arcs between n words, and from the root.
struct Complete {
  explicit Complete(Index words) : n(words), begin(1, 0) {
    for (std::uint32_t m = 1; m <= n; ++m) {
      for (std::uint32_t h = 0; h <= n; ++h) {
        if (h != m) head.push_back(h);
      }
      begin.push_back(head.size());
    }
  }
  ArcGraph graph() const { return {n, begin, head}; }

  Index n;
  std::vector<Index> begin;
  std::vector<std::uint32_t> head;
};

std::vector<double> normal_scores(Index size, double scale, Random& random) {
  std::vector<double> s(size);
  for (double& score : s) score = scale * random.normal();
  return s;
}

// Cayley: (n+1)^(n−1) trees, n^(n−1) of which have one word at the root. What is added to all arcs
// of a word changes no marginal.
TEST(ArborescenceSums, CountTrees) {
  Random random(1);
  ArborescenceSums sums;
  for (const Index n : {1, 2, 5, 30, 90}) {
    const Complete complete(n);
    const ArcGraph graph = complete.graph();
    const auto words = static_cast<double>(n);
    for (const double shift : {0.0, 1.0, 1e6}) {
      double total = 0;
      std::vector<double> s(graph.head.size()), marginals(s.size());
      for (Index m = 0; m < n; ++m) {
        const double added = shift * random.normal();
        total += added;
        for (Index a = complete.begin[m]; a < complete.begin[m + 1]; ++a) s[a] = added;
      }
      const double slack = 1e-11 * (1 + shift);
      EXPECT_NEAR(sums.log_sum(graph, s, Roots::kAny, marginals),
                  total + (words - 1) * std::log(words + 1), slack);
      for (Index a = 0; a < s.size(); ++a) {
        EXPECT_NEAR(marginals[a], (graph.head[a] == 0 ? 2 : 1) / (words + 1), 1e-13);
      }
      EXPECT_NEAR(sums.entropy(graph, s, Roots::kAny), (words - 1) * std::log(words + 1), 1e-10);
      EXPECT_NEAR(sums.log_sum(graph, s, Roots::kOne, marginals),
                  total + (words - 1) * std::log(words), slack);
      for (const double marginal : marginals) EXPECT_NEAR(marginal, 1 / words, 1e-13);
    }
  }
}

TEST(ArborescenceSums, MarginalsAreDistributionsOfHeads) {
  Random random(2);
  ArborescenceSums sums;
  for (const Index n : {3, 20, 60}) {
    const Complete complete(n);
    const ArcGraph graph = complete.graph();
    for (const double scale : {0.1, 3.0, 30.0, 1e3, 1e6, 1e9}) {
      const std::vector<double> s = normal_scores(graph.head.size(), scale, random);
      for (const Roots roots : {Roots::kAny, Roots::kOne}) {
        std::vector<double> marginals(s.size());
        const double value = sums.log_sum(graph, s, roots, marginals);
        EXPECT_EQ(value, sums.log_sum(graph, s, roots));
        double at_root = 0;
        for (Index m = 0; m < n; ++m) {
          double sum = 0;
          for (Index a = complete.begin[m]; a < complete.begin[m + 1]; ++a) sum += marginals[a];
          EXPECT_NEAR(sum, 1, 1e-12);
          at_root += marginals[complete.begin[m]];
        }
        if (roots == Roots::kOne) {
          EXPECT_NEAR(at_root, 1, 1e-11);
        } else {
          EXPECT_GE(at_root, 1 - 1e-11);
        }
      }
    }
  }
}

// With such scores nothing but the best tree counts.
TEST(ArborescenceSums, AtTemperatureZeroTheyAreTheBestTree) {
  Random random(3);
  ArborescenceSums sums;
  MaximumArborescence maximum;
  for (const Index n : {4, 15, 40}) {
    const Complete complete(n);
    const ArcGraph graph = complete.graph();
    for (const Roots roots : {Roots::kAny, Roots::kOne}) {
      const std::vector<double> s = normal_scores(graph.head.size(), 1e9, random);
      std::vector<double> marginals(s.size());
      std::vector<std::uint32_t> best(n), drawn(n);
      ASSERT_TRUE(maximum.solve(graph, s, roots, best));
      EXPECT_EQ(sums.log_sum(graph, s, roots, marginals), tree_score(s, best));
      EXPECT_NEAR(sums.entropy(graph, s, roots), 0, 1e-9);
      ASSERT_TRUE(sums.draw(graph, s, roots, random, drawn));
      EXPECT_EQ(drawn, best);
      double taken = 0;
      for (const std::uint32_t a : best) taken += marginals[a];
      EXPECT_NEAR(taken, static_cast<double>(n), 1e-12);
    }
  }
}

// Where doubles reach, and where they do not, there is one function of the scores: along a line
// from the one to the other, log Σ rises by the marginals.
TEST(ArborescenceSums, DoublesAndWideNumbersAgree) {
  Random random(4);
  ArborescenceSums sums;
  const Complete complete(12);
  const ArcGraph graph = complete.graph();
  std::vector<double> s = normal_scores(graph.head.size(), 1, random);
  std::vector<Index> pair;  // 1 → 2 and 2 → 1, the more of them the fewer digits
  for (Index m = 0; m < 2; ++m) {
    for (Index a = complete.begin[m]; a < complete.begin[m + 1]; ++a) {
      if (graph.head[a] == 2 - m) pair.push_back(a);
    }
  }
  ASSERT_EQ(pair.size(), 2u);
  for (const Roots roots : {Roots::kAny, Roots::kOne}) {
    std::vector<double> before(s.size()), after(s.size());
    // One of the two is in every tree that counts, so that both sides know what is to come.
    for (const double want : {220.0, 229.0, 231.0, 240.0, 500.0}) {
      std::vector<double> higher = s;
      for (const Index a : pair) higher[a] += want;
      const double value = sums.log_sum(graph, higher, roots, before);
      for (const Index a : pair) higher[a] += 20;
      EXPECT_NEAR(sums.log_sum(graph, higher, roots, after) - value, 20, 1e-12 * want);
      for (Index a = 0; a < s.size(); ++a) EXPECT_NEAR(before[a], after[a], 1e-12);
    }
  }
}

}  // namespace
}  // namespace trellis
