#include "trellis/solve/matchings/permanent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/solve/vectors/each_target.h"
#include "trellis/base/error.h"
#include "trellis/solve/matchings/permanent_enumeration.h"

namespace trellis::permanent_test {
namespace {

struct Sums {
  long double log_sum = 0;
  long double entropy = 0;
  std::vector<long double> marginals;
};

using EachPermutation = std::function<void(const std::vector<Index>&)>;

void visit_permutations(Index n, const EachPermutation& visit) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  do visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

long double score(const std::vector<double>& s, const std::vector<Index>& order) {
  long double sum = 0;
  for (Index i = 0; i < order.size(); ++i) sum += s[i * order.size() + order[i]];
  return sum;
}

Sums enumerate(Index n, const std::vector<double>& s) {
  Sums sums;
  sums.marginals.assign(n * n, 0);
  long double best = -HUGE_VALL, total = 0, weighted = 0;
  visit_permutations(n, [&](const auto& order) { best = std::max(best, score(s, order)); });
  visit_permutations(n, [&](const auto& order) {
    const long double relative = score(s, order) - best, p = std::exp(relative);
    total += p;
    weighted += p * relative;
    for (Index i = 0; i < n; ++i) sums.marginals[i * n + order[i]] += p;
  });
  for (long double& m : sums.marginals) m /= total;
  sums.log_sum = best + std::log(total);
  sums.entropy = std::log(total) - weighted / total;
  return sums;
}

// Σ_{T ⊆ columns} (−1)^{n−|T|} Π_i Σ_{j∈T} a_ij  (Ryser 1963).
long double ryser(Index n, const std::vector<double>& s) {
  long double sum = 0;
  for (Index set = 0; set < Index{1} << n; ++set) {
    long double product = 1;
    Index size = 0;
    for (Index j = 0; j < n; ++j) size += set >> j & 1;
    for (Index i = 0; i < n; ++i) {
      long double row = 0;
      for (Index j = 0; j < n; ++j) {
        if ((set >> j & 1) != 0) row += std::exp(static_cast<long double>(s[i * n + j]));
      }
      product *= row;
    }
    sum += (n - size) % 2 == 0 ? product : -product;
  }
  return std::log(sum);
}

std::vector<double> random_scores(Index n, double size, Random& random) {
  std::vector<double> s(n * n);
  for (double& score : s) score = size * random.normal();
  return s;
}

TEST(Permanent, SumsEqualEnumeration) {
  Random random(1);
  PermanentSums sums;
  for (Index n = 0; n <= 8; ++n) {
    for (const double size : {0.0, 0.1, 1.0, 10.0, 100.0, 1e4}) {
      for (int trial = 0; trial < (n < 7 ? 10 : 2); ++trial) {
        const std::vector<double> s = random_scores(n, size, random);
        const Sums expected = enumerate(n, s);
        const double slack = 1e-12 + 1e-14 * size * static_cast<double>(n);
        std::vector<double> marginals(n * n, std::nan(""));
        EXPECT_NEAR(sums.log_sum(n, s), static_cast<double>(expected.log_sum), slack);
        EXPECT_EQ(sums.log_sum(n, s, marginals), sums.log_sum(n, s));
        EXPECT_NEAR(sums.entropy(n, s), static_cast<double>(expected.entropy), 10 * slack);
        for (Index e = 0; e < n * n; ++e) {
          EXPECT_NEAR(marginals[e], static_cast<double>(expected.marginals[e]), slack);
        }
      }
    }
  }
}

TEST(Permanent, EqualsRysersFormula) {
  Random random(2);
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{9, 10, 12}) {
    const std::vector<double> s = random_scores(n, 0.5, random);
    EXPECT_NEAR(sums.log_sum(n, s), static_cast<double>(ryser(n, s)), 1e-9);
  }
}

// Of n! equal terms.
TEST(Permanent, CountsAllPermutationsAndPairsEachEquallyOften) {
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{5, 13, 17, 20, 22, 24}) {
    const std::vector<double> s(n * n, -0.25);
    const double log_count = std::lgamma(static_cast<double>(n) + 1);
    std::vector<double> marginals(n * n);
    EXPECT_NEAR(sums.log_sum(n, s, marginals), log_count - 0.25 * static_cast<double>(n), 1e-12);
    EXPECT_NEAR(sums.entropy(n, s), log_count, 1e-11);
    for (const double m : marginals) EXPECT_NEAR(m, 1 / static_cast<double>(n), 1e-12);
  }
}

constexpr double kNever = -1000;  // a score whose edge has no share that a double could hold

// Sizes that take 2²¹ sets of columns and more, by matrices whose permanents are known.
constexpr Index kLarge[] = {21, 22, 23, 24};

// s_ij = a_i + b_j: every permutation has the same score.
TEST(Permanent, OfRankOneIsTheSumOfItsScoresTimesTheNumberOfPermutations) {
  Random random(8);
  for (const Index n : kLarge) {
    PermanentSums sums;
    const std::vector<double> rows = random_scores(n, 3, random),
                              columns = random_scores(n, 3, random);
    std::vector<double> s(n * n), marginals(n * n);
    double log_sum = std::lgamma(static_cast<double>(n) + 1);
    for (Index i = 0; i < n; ++i) {
      log_sum += rows[i] + columns[i];
      for (Index j = 0; j < n; ++j) s[i * n + j] = rows[i] + columns[j];
    }
    EXPECT_NEAR(sums.log_sum(n, s, marginals), log_sum, 1e-11) << n;
    for (const double m : marginals) EXPECT_NEAR(m, 1 / static_cast<double>(n), 1e-12);
  }
}

// D_n = (n − 1) (D_{n−1} + D_{n−2}), and each edge beside the diagonal is equally likely.
TEST(Permanent, CountsDerangements) {
  for (const Index n : kLarge) {
    PermanentSums sums;
    std::vector<double> s(n * n, 0.0), marginals(n * n);
    for (Index i = 0; i < n; ++i) s[i * n + i] = kNever;
    long double last = 0, count = 1;  // of 1 and 2
    for (Index k = 3; k <= n; ++k) {
      last = std::exchange(count, static_cast<long double>(k - 1) * (count + last));
    }
    EXPECT_NEAR(sums.log_sum(n, s, marginals), static_cast<double>(std::log(count)), 1e-12) << n;
    for (Index e = 0; e < n * n; ++e) {
      EXPECT_NEAR(marginals[e], e / n == e % n ? 0 : 1 / static_cast<double>(n - 1), 1e-12);
    }
  }
}

// P_k = a_kk P_{k−1} + a_{k,k−1} a_{k−1,k} P_{k−2}, in any order of rows and columns.
TEST(Permanent, OfThreeDiagonalsFollowsTheirRecurrence) {
  for (const Index n : kLarge) {
    PermanentSums sums;
    Random random(9, n);
    const std::vector<double> all = random_scores(n, 1, random);
    const std::vector<Index> row = random_permutation(n, Random(10, n));
    const std::vector<Index> column = random_permutation(n, Random(11, n));
    const auto a = [&](Index i, Index j) {
      return std::exp(static_cast<long double>(all[i * n + j]));
    };
    std::vector<double> s(n * n, kNever);
    long double before = 1, value = a(0, 0);
    for (Index k = 0; k < n; ++k) {
      for (Index j = k == 0 ? 0 : k - 1; j < std::min(k + 2, n); ++j) {
        s[row[k] * n + column[j]] = all[k * n + j];
      }
      if (k == 0) continue;
      before = std::exchange(value, a(k, k) * value + a(k, k - 1) * a(k - 1, k) * before);
    }
    EXPECT_NEAR(sums.log_sum(n, s), static_cast<double>(std::log(value)), 1e-11) << n;
  }
}

// Blocks that share no row and no column, each small enough for Ryser's formula.
TEST(Permanent, OfBlocksIsTheirProduct) {
  for (const Index n : kLarge) {
    PermanentSums sums;
    const std::vector<Index> row = random_permutation(n, Random(12, n));
    const std::vector<Index> column = random_permutation(n, Random(13, n));
    std::vector<double> s(n * n, kNever);
    long double log_sum = 0;
    for (Index begin = 0; begin < n; begin += 8) {
      const Index size = std::min<Index>(8, n - begin);
      Random random(14, begin);
      const std::vector<double> block = random_scores(size, 0.5, random);
      log_sum += ryser(size, block);
      for (Index e = 0; e < size * size; ++e) {
        s[row[begin + e / size] * n + column[begin + e % size]] = block[e];
      }
    }
    EXPECT_NEAR(sums.log_sum(n, s), static_cast<double>(log_sum), 1e-10) << n;
  }
}

TEST(Permanent, MarginalsAreDoublyStochasticDerivatives) {
  Random random(3);
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{11, 14}) {
    std::vector<double> s = random_scores(n, 2, random), marginals(n * n);
    sums.log_sum(n, s, marginals);
    for (Index i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (Index j = 0; j < n; ++j) {
        row += marginals[i * n + j];
        column += marginals[j * n + i];
      }
      EXPECT_NEAR(row, 1, 1e-12);
      EXPECT_NEAR(column, 1, 1e-12);
    }
    for (Index e = 0; e < n * n; e += n / 2) {
      const double at = s[e];
      s[e] = at + 1e-5;
      const double above = sums.log_sum(n, s);
      s[e] = at - 1e-5;
      const double below = sums.log_sum(n, s);
      s[e] = at;
      EXPECT_NEAR((above - below) / 2e-5, marginals[e], 1e-8);
    }
  }
}

// A block of zeros, and one that a million separates from it: the sum of each is as if alone.
TEST(Permanent, HugeScoresLoseNothing) {
  PermanentSums sums;
  const Index n = 10;
  std::vector<double> s(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) s[i * n + j] = (i < 5) == (j < 5) ? 1e6 : -1e6;
  }
  std::vector<double> marginals(n * n);
  EXPECT_NEAR(sums.log_sum(n, s, marginals) - 1e7, 2 * std::log(120.0), 1e-8);
  EXPECT_NEAR(sums.entropy(n, s), 2 * std::log(120.0), 1e-12);
  for (Index e = 0; e < n * n; ++e) {
    EXPECT_NEAR(marginals[e], (e / n < 5) == (e % n < 5) ? 0.2 : 0.0, 1e-14);
  }
}

// One permutation has all the mass but e^−100, which 1 + ε cannot hold.
TEST(Permanent, EntropyKeepsItsRelativeAccuracy) {
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{2, 4, 5, 9}) {
    std::vector<double> s(n * n, -1000.0);
    for (Index i = 0; i < n; ++i) s[i * n + i] = 0;
    s[1] = s[n] = -50;
    const double rest = std::exp(-100.0);
    EXPECT_NEAR(sums.entropy(n, s) / (101 * rest), 1.0, 1e-12) << n;
  }
}

TEST(Permanent, DrawsHaveTheMarginals) {
  Random random(4);
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{1, 2, 4, 5, 9, 12}) {
    const std::vector<double> s = random_scores(n, 1, random);
    std::vector<double> marginals(n * n);
    sums.log_sum(n, s, marginals);
    constexpr double kDraws = 4000;
    std::vector<double> counts(n * n, 0.0);
    std::vector<Label> columns(n);
    for (int k = 0; k < kDraws; ++k) {
      sums.draw(n, s, random, columns);
      for (Index i = 0; i < n; ++i) ++counts[i * n + static_cast<Index>(columns[i])];
    }
    for (Index e = 0; e < n * n; ++e) {
      const double deviation = std::sqrt(marginals[e] * (1 - marginals[e]) / kDraws);
      EXPECT_NEAR(counts[e] / kDraws, marginals[e], 5 * deviation + 1e-12);
    }
  }
}

TEST(Permanent, MemoryOfOtherMatricesDoesNotShow) {
  Random random(5);
  PermanentSums reused;
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 3 + random.below(7);
    const std::vector<double> s = random_scores(n, 1, random);
    std::vector<double> first(n * n), second(n * n);
    std::vector<Label> drawn(n), drawn_again(n);
    PermanentSums fresh;
    Random one(6), other(6);
    if (trial % 2 == 0) reused.draw(n, s, one, drawn);
    EXPECT_EQ(reused.log_sum(n, s, first), fresh.log_sum(n, s, second));
    EXPECT_EQ(first, second);
    EXPECT_EQ(reused.entropy(n, s), fresh.entropy(n, s));
    if (trial % 2 == 1) reused.draw(n, s, one, drawn);
    fresh.draw(n, s, other, drawn_again);
    EXPECT_EQ(drawn, drawn_again);
  }
}

TEST(Permanent, SumsHaveTheSameBitsOnEveryInstructionSet) {
  Random random(7);
  const Index n = 9;
  const std::vector<double> s = random_scores(n, 2, random);
  const auto results = on_each_target([&] {
    PermanentSums sums;
    std::vector<double> values(n * n);
    values.push_back(sums.log_sum(n, s, std::span(values).first(n * n)));
    return values;
  });
  for (const std::vector<double>& values : results) EXPECT_EQ(values, results[0]);
}

TEST(Permanent, RefusesWhatIsTooLarge) {
  PermanentSums sums;
  const std::vector<double> s(25 * 25, 0.0);
  EXPECT_THROW(sums.log_sum(25, s), UsageError);
  EXPECT_THROW(sums.entropy(25, s), UsageError);
}

}  // namespace
}  // namespace trellis::permanent_test
