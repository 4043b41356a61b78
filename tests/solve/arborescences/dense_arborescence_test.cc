#include "trellis/solve/arborescences/dense_arborescence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

using Matrix = std::vector<double>;  // n rows of n + 1, the root last

Matrix draw_matrix(Index n, double density, Index values, Random& random) {
  Matrix scores(n * (n + 1));
  for (double& score : scores) {
    score = random.uniform() < density ? static_cast<double>(random.below(values)) : -kInfinity;
  }
  return scores;
}

// The textbook: the best head of each node; where these close a cycle it becomes a node, and the
// rest is found by the same function. −∞ where there is no tree.
double chu_liu_edmonds(Index n, const Matrix& scores) {
  const Index width = n + 1;
  std::vector<Index> best(n);
  for (Index m = 0; m < n; ++m) {
    best[m] = m == 0 ? width - 1 : 0;
    for (Index h = 0; h < width; ++h) {
      if (h != m && scores[m * width + h] > scores[m * width + best[m]]) best[m] = h;
    }
    if (scores[m * width + best[m]] == -kInfinity) return -kInfinity;
  }
  std::vector<Index> cycle_of(n, n);  // n: on no cycle
  for (Index start = 0; start < n; ++start) {
    Index at = start;
    for (Index steps = 0; at != n && steps < n; ++steps) at = best[at];
    if (at != n) {
      for (Index m = at; cycle_of[m] == n; m = best[m]) cycle_of[m] = 0;
      break;
    }
  }
  double value = 0;
  std::vector<Index> place(width);  // in the smaller graph
  Index smaller = 0;
  for (Index m = 0; m < n; ++m) {
    if (cycle_of[m] == n) place[m] = smaller++;
  }
  if (smaller == n) {
    for (Index m = 0; m < n; ++m) value += scores[m * width + best[m]];
    return value;
  }
  for (Index m = 0; m < n; ++m) {
    if (cycle_of[m] == n) continue;
    place[m] = smaller;
    value += scores[m * width + best[m]];
  }
  place[n] = smaller + 1;
  const Index next = smaller + 1;
  Matrix reduced(next * (next + 1), -kInfinity);
  for (Index m = 0; m < n; ++m) {
    for (Index h = 0; h < width; ++h) {
      if (h == m || place[h] == place[m]) continue;
      const double less = cycle_of[m] == n ? 0 : scores[m * width + best[m]];
      double& entry = reduced[place[m] * (next + 1) + place[h]];
      entry = std::max(entry, scores[m * width + h] - less);
    }
  }
  return value + chu_liu_edmonds(next, reduced);
}

double score_of(Index n, const Matrix& scores, const std::vector<std::uint32_t>& heads) {
  double value = 0;
  for (Index m = 0; m < n; ++m) value += scores[m * (n + 1) + heads[m]];
  return value;
}

bool is_tree(Index n, const std::vector<std::uint32_t>& heads) {
  for (Index m = 0; m < n; ++m) {
    Index at = m, steps = 0;
    while (at != n && steps++ <= n) at = heads[at];
    if (at != n) return false;
  }
  return true;
}

TEST(DenseArborescence, IsThatOfTheTextbook) {
  Random random(1);
  DenseArborescence solver;
  for (Index trial = 0; trial < 2000; ++trial) {
    const Index n = 1 + random.below(trial % 10 == 0 ? 60 : 12);
    const double density = trial % 3 == 0 ? 1 : random.uniform();
    const Matrix scores = draw_matrix(n, density, trial % 2 == 0 ? 5 : 1000, random);
    std::vector<std::uint32_t> heads(n);
    const double expected = chu_liu_edmonds(n, scores);
    ASSERT_EQ(solver.solve(n, scores, Roots::kAny, heads), expected != -kInfinity);
    if (expected == -kInfinity) continue;
    ASSERT_TRUE(is_tree(n, heads));
    EXPECT_EQ(score_of(n, scores, heads), expected);
  }
}

// The best of n trees, in each of which another word may hang on the root.
TEST(DenseArborescence, WithOneRootIsTheBestOverAllRoots) {
  Random random(2);
  DenseArborescence solver;
  Index impossible = 0;
  for (Index trial = 0; trial < 1500; ++trial) {
    const Index n = 1 + random.below(14);
    const double density = trial % 3 == 0 ? 1 : random.uniform();
    const Matrix scores = draw_matrix(n, density, trial % 2 == 0 ? 5 : 1000, random);
    std::vector<std::uint32_t> heads(n);
    double expected = -kInfinity;
    for (Index root = 0; root < n; ++root) {
      Matrix single = scores;
      for (Index m = 0; m < n; ++m) {
        if (m != root) single[m * (n + 1) + n] = -kInfinity;
      }
      if (solver.solve(n, single, Roots::kAny, heads)) {
        expected = std::max(expected, score_of(n, scores, heads));
      }
    }
    const bool found = solver.solve(n, scores, Roots::kOne, heads);
    ASSERT_EQ(found, expected != -kInfinity);
    if (!found) {
      ++impossible;
      continue;
    }
    ASSERT_TRUE(is_tree(n, heads));
    EXPECT_EQ(std::count(heads.begin(), heads.end(), static_cast<std::uint32_t>(n)), 1);
    EXPECT_EQ(score_of(n, scores, heads), expected);
  }
  EXPECT_GT(impossible, 100u);
}

// Cycles within cycles: word m + 1 wants m, and m wants m + 1 more than all before it.
TEST(DenseArborescence, NestedCyclesOpenInTheRightPlaces) {
  for (const Index n : {2, 3, 10, 50}) {
    Matrix scores(n * (n + 1), 0.0);
    for (Index m = 0; m < n; ++m) {
      if (m > 0) scores[m * (n + 1) + m - 1] = 2.0 * static_cast<double>(n - m);
      if (m + 1 < n) scores[m * (n + 1) + m + 1] = 2.0 * static_cast<double>(n - m) - 1;
    }
    std::vector<std::uint32_t> heads(n);
    DenseArborescence solver;
    ASSERT_TRUE(solver.solve(n, scores, Roots::kOne, heads));
    EXPECT_EQ(score_of(n, scores, heads), chu_liu_edmonds(n, scores));
  }
}

}  // namespace
}  // namespace trellis
