#include "trellis/solve/matchings/matching_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/solve/matchings/permanent.h"

namespace trellis {
namespace {

std::vector<double> random_scores(Index n, double size, Random& random) {
  std::vector<double> s(n * n);
  for (double& score : s) score = size * random.normal();
  return s;
}

// Pearson's χ² over all permutations, those that are expected less than five times as one.
void expect_distribution(Index n, const std::vector<double>& s, MatchingSampler& sampler,
                         Random& random) {
  constexpr double kDraws = 5000;
  std::map<std::vector<Label>, double> counts;
  std::vector<Label> columns(n);
  sampler.prepare(n, s);
  for (int k = 0; k < kDraws; ++k) {
    sampler.draw(random, columns);
    ++counts[columns];
  }
  PermanentSums sums;
  const double log_sum = sums.log_sum(n, s);
  std::iota(columns.begin(), columns.end(), Label{0});
  double statistic = 0, rare_expected = 0, rare_seen = 0, cells = 0, seen = 0;
  do {
    double score = 0;
    for (Index i = 0; i < n; ++i) score += s[i * n + static_cast<Index>(columns[i])];
    const double expected = kDraws * std::exp(score - log_sum);
    const double found = counts[columns];
    seen += found;
    if (expected >= 5) {
      statistic += (found - expected) * (found - expected) / expected;
      ++cells;
    } else {
      rare_expected += expected;
      rare_seen += found;
    }
  } while (std::next_permutation(columns.begin(), columns.end()));
  EXPECT_EQ(seen, kDraws) << "something was drawn that is no permutation";
  if (rare_expected >= 5) {
    statistic += (rare_seen - rare_expected) * (rare_seen - rare_expected) / rare_expected;
    ++cells;
  }
  const double freedom = std::max(1.0, cells - 1);
  EXPECT_LE(statistic, freedom + 4 * std::sqrt(2 * freedom) + 6);
}

std::vector<MatchingSamplerOptions> all_options() {
  std::vector<MatchingSamplerOptions> all;
  for (const MatchingBound bound : {MatchingBound::kHuberLaw, MatchingBound::kSoules}) {
    for (const Index splits : std::initializer_list<Index>{0, 3, 64}) {
      for (const Index exact_size : std::initializer_list<Index>{0, 5}) {
        MatchingSamplerOptions options;
        options.bound = bound;
        options.splits = splits;
        options.exact_size = exact_size;
        all.push_back(options);
      }
    }
  }
  return all;
}

TEST(MatchingSampler, DrawsHaveTheirProbabilitiesWhateverTheOptions) {
  Random random(1);
  for (const MatchingSamplerOptions& options : all_options()) {
    MatchingSampler sampler(options);
    for (Index n = 1; n <= 6; ++n) {
      const double size = n == 4 ? 3 : 1;
      SCOPED_TRACE(n);
      expect_distribution(n, random_scores(n, size, random), sampler, random);
    }
    if (HasFailure()) return;
  }
}

// 0/1 matrices, where most pairings leave nothing or little.
TEST(MatchingSampler, DrawsAreRightWhereMostMatchingsAreImpossible) {
  Random random(2);
  for (const MatchingSamplerOptions& options : all_options()) {
    MatchingSampler sampler(options);
    for (int trial = 0; trial < 3; ++trial) {
      constexpr Index n = 6;
      std::vector<double> s(n * n);
      for (double& score : s) score = random.below(2) == 0 ? 0 : -1000;
      for (Index i = 0; i < n; ++i) s[i * n + (i + 2) % n] = 0;
      expect_distribution(n, s, sampler, random);
    }
  }
}

// The bound of every column's pairings together is 1.001 times the whole's: they are split further.
TEST(MatchingSampler, DrawsAreRightWhereSoulesBoundsAreNotNested) {
  const std::vector<double> entries = {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1};
  BoundedMatrix matrix;
  matrix.assign(MatchingBound::kSoules, 4, entries);
  std::vector<double> weights;
  ASSERT_GT(matrix.split(weights).total, 1.001);
  matrix.assign(MatchingBound::kHuberLaw, 4, entries);
  ASSERT_LE(matrix.split(weights).total, 1);

  std::vector<double> s;
  for (const double entry : entries) s.push_back(entry > 0 ? 0 : -1000);
  Random random(3);
  for (const Index splits : std::initializer_list<Index>{0, 5}) {
    for (const Index exact_size : std::initializer_list<Index>{0, 5}) {
      MatchingSamplerOptions options;
      options.splits = splits;
      options.exact_size = exact_size;
      MatchingSampler sampler(options);
      expect_distribution(4, s, sampler, random);
    }
  }
}

// The sum over edges of squared deviations, each over its variance, against its mean.
TEST(MatchingSampler, DrawsHaveTheExactMarginals) {
  Random random(4);
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{8, 10, 12}) {
    for (const double size : {0.3, 2.0, 6.0}) {
      const std::vector<double> s = random_scores(n, size, random);
      std::vector<double> marginals(n * n), counts(n * n, 0.0);
      sums.log_sum(n, s, marginals);
      MatchingSampler sampler;
      sampler.prepare(n, s);
      std::vector<Label> columns(n);
      constexpr double kDraws = 3000;
      for (int k = 0; k < kDraws; ++k) {
        sampler.draw(random, columns);
        for (Index i = 0; i < n; ++i) ++counts[i * n + static_cast<Index>(columns[i])];
      }
      double statistic = 0, cells = 0;
      for (Index e = 0; e < n * n; ++e) {
        const double variance = kDraws * marginals[e] * (1 - marginals[e]);
        if (variance < 4) continue;
        const double deviation = counts[e] - kDraws * marginals[e];
        statistic += deviation * deviation / variance;
        EXPECT_LE(std::abs(deviation), 5 * std::sqrt(variance) + 2);
        ++cells;
      }
      // Edges of a row exclude each other, so the cells are not independent: hence a wide margin.
      if (cells > 0) {
        EXPECT_LE(statistic / cells, 1 + 8 / std::sqrt(cells));
      }
    }
  }
}

TEST(MatchingSampler, TheBoundIsAboveTheSumAndTheAcceptedShareEstimatesIt) {
  Random random(5);
  PermanentSums sums;
  for (const Index n : std::initializer_list<Index>{6, 11, 14}) {
    for (const double size : {0.0, 0.5, 2.0, 20.0}) {
      const std::vector<double> s = random_scores(n, size, random);
      const double log_sum = sums.log_sum(n, s);
      for (const MatchingBound bound : {MatchingBound::kHuberLaw, MatchingBound::kSoules}) {
        MatchingSamplerOptions options;
        options.bound = bound;
        MatchingSampler sampler(options);
        sampler.prepare(n, s);
        EXPECT_GE(sampler.log_bound(), log_sum - 1e-9);
        std::vector<Label> columns(n);
        for (int k = 0; k < 1500; ++k) sampler.attempt(random, columns);
        ASSERT_GT(sampler.accepted(), 0u);
        const LogSumEstimate estimate = sampler.log_sum();
        EXPECT_NEAR(estimate.value, log_sum, 4.5 * estimate.standard_error + 1e-9);
      }
    }
  }
}

TEST(MatchingSampler, MoreSplitsNeverLoosenTheBound) {
  Random random(6);
  for (int trial = 0; trial < 10; ++trial) {
    const Index n = 9;
    const std::vector<double> s = random_scores(n, 2, random);
    double before = HUGE_VAL;
    for (const Index splits : std::initializer_list<Index>{0, 1, 2, 5, 20, 100}) {
      MatchingSamplerOptions options;
      options.splits = splits;
      MatchingSampler sampler(options);
      sampler.prepare(n, s);
      EXPECT_LE(sampler.log_bound(), before + 1e-12);
      before = sampler.log_bound();
    }
  }
}

TEST(MatchingSampler, ManySplitsOfAPeakedMatrixLeaveNothingToReject) {
  Random random(7);
  const Index n = 10;
  MatchingSamplerOptions options;
  options.splits = 2000;
  MatchingSampler sampler(options);
  const std::vector<double> s = random_scores(n, 30, random);
  sampler.prepare(n, s);
  PermanentSums sums;
  EXPECT_NEAR(sampler.log_bound(), sums.log_sum(n, s), 1e-6);
}

TEST(MatchingSampler, DrawsDependOnScoresAndRandomNumbersAlone) {
  Random random(8);
  const Index n = 13;
  const std::vector<double> s = random_scores(n, 2, random), other = random_scores(n, 1, random);
  MatchingSampler fresh, used;
  std::vector<Label> first(n), second(n);
  used.prepare(n, other);
  Random noise(9);
  for (int k = 0; k < 20; ++k) used.draw(noise, second);
  used.prepare(n, s);
  for (int k = 0; k < 20; ++k) used.draw(noise, second);
  fresh.prepare(n, s);
  used.prepare(n, s);
  EXPECT_EQ(fresh.log_bound(), used.log_bound());
  Random one(10), same(10);
  for (int k = 0; k < 20; ++k) {
    fresh.draw(one, first);
    used.draw(same, second);
    EXPECT_EQ(first, second);
  }
}

TEST(MatchingSampler, HugeScoresAreSafe) {
  Random random(11);
  const Index n = 12;
  std::vector<double> s = random_scores(n, 1e6, random);
  MatchingSampler sampler;
  sampler.prepare(n, s);
  std::vector<Label> columns(n);
  sampler.draw(random, columns);
  PermanentSums sums;
  EXPECT_NEAR(sampler.log_bound(), sums.log_sum(n, s), 1e-6);
  std::sort(columns.begin(), columns.end());
  for (Index i = 0; i < n; ++i) EXPECT_EQ(columns[i], static_cast<Label>(i));
}

TEST(MatchingSampler, SaysWhenNothingIsAccepted) {
  Random random(12);
  const Index n = 16;
  const std::vector<double> s = random_scores(n, 2, random);
  MatchingSamplerOptions options;
  options.bound = MatchingBound::kHuberLaw;
  options.splits = 0;
  options.max_attempts = 1;
  MatchingSampler sampler(options);
  sampler.prepare(n, s);
  std::vector<Label> columns(n);
  const auto draw_often = [&] {
    for (int k = 0; k < 100; ++k) sampler.draw(random, columns);
  };
  EXPECT_THROW(draw_often(), UsageError);
  options.exact_size = 4;
  EXPECT_THROW(MatchingSampler{options}, UsageError);
  options.exact_size = 25;
  EXPECT_THROW(MatchingSampler{options}, UsageError);
}

TEST(MatchingSampler, NothingToMatchIsMatched) {
  MatchingSampler sampler;
  Random random(13);
  sampler.prepare(0, {});
  sampler.draw(random, {});
  EXPECT_EQ(sampler.accepted(), 1u);
  EXPECT_EQ(sampler.log_sum().value, 0);
}

}  // namespace
}  // namespace trellis
