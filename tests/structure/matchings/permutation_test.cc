#include "trellis/structure/matchings/permutation.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using namespace conformance;

static_assert(KBest<Permutation> && Summer<Permutation> && Sampler<Permutation> &&
              Projector<Permutation>);

std::vector<Permutation::Output> all_permutations(Index n) {
  Permutation::Output y(n);
  std::iota(y.begin(), y.end(), Label{0});
  std::vector<Permutation::Output> all;
  do all.push_back(y);
  while (std::next_permutation(y.begin(), y.end()));
  return all;
}

TEST(Permutation, EveryOperationEqualsEnumeration) {
  Random random(1);
  Permutation::Scratch scratch;
  for (Index n = 0; n <= 6; ++n) {
    const Permutation structure(n);
    const Enumeration<Permutation> all(structure, all_permutations(n));
    for (Index trial = 0; trial < (n < 6 ? 20 : 3); ++trial) {
      check_conformance(all, scratch, random);
      const std::vector<double> s = draw_scores(Scores::kSmall, n * n, random);
      check_gradient(structure, s, scratch);
      check_linear_program(all, s, scratch);
      if (n > 0) check_project(structure, s, scratch);
      if (HasFailure()) return;
    }
  }
}

TEST(Permutation, SamplesHaveTheirProbabilities) {
  Random random(2);
  Permutation::Scratch scratch;
  for (Index n = 1; n <= 6; ++n) {
    const Permutation structure(n);
    const Enumeration<Permutation> all(structure, all_permutations(n));
    check_samples(all, draw_scores(Scores::kSmall, n * n, random), 20000, random, scratch);
  }
}

TEST(Permutation, OutputsAreTheDoublyStochasticVertices) {
  const Permutation structure(3);
  const Enumeration<Permutation> all(structure, all_permutations(3));
  check_outputs_are_feasible(all);
  EXPECT_TRUE(structure.faces_by_zeros());
  EXPECT_FALSE(structure.legal({0, 1, 1}));
  EXPECT_FALSE(structure.legal({0, 1, kNoLabel}));
}

TEST(Permutation, SaysWhereItHasNoSums) {
  Permutation::Scratch scratch;
  EXPECT_TRUE(Permutation(24).has_sums());
  const Permutation large(25);
  EXPECT_FALSE(large.has_sums());
  const std::vector<double> s(large.num_parts(), 0.0);
  std::vector<double> marginals(s.size());
  EXPECT_THROW(large.log_partition(s, scratch, marginals), UsageError);
}

// Beyond the tables: far apart groups of nodes, each with draws of its own, whose marginals and
// sums are known.
TEST(Permutation, DrawsLargeMatchingsAndEstimatesTheirSum) {
  constexpr Index kGroup = 5, kGroups = 5, n = kGroup * kGroups;
  Random random(3);
  Permutation::Scratch scratch;
  const std::vector<double> inner = draw_scores(Scores::kSmall, kGroup * kGroup, random);
  std::vector<double> s(n * n, -1e4);
  for (Index i = 0; i < n; ++i) {
    const Index group = i / kGroup * kGroup;
    for (Index j = 0; j < kGroup; ++j) s[i * n + group + j] = inner[i % kGroup * kGroup + j];
  }
  const Permutation large(n), small(kGroup);
  EXPECT_FALSE(large.has_tables());
  std::vector<double> marginals(kGroup * kGroup), counts(kGroup * kGroup, 0.0);
  const double log_partition = kGroups * small.log_partition(inner, scratch, marginals);
  std::vector<Permutation::Output> outputs;
  constexpr Index kDraws = 800;
  const LogSumEstimate estimate = large.sample_and_estimate(s, kDraws, random, scratch, outputs);
  EXPECT_NEAR(estimate.value, log_partition, 4 * estimate.standard_error + 1e-9);
  EXPECT_LT(estimate.standard_error, 0.1);
  ASSERT_EQ(outputs.size(), kDraws);
  for (const Permutation::Output& y : outputs) {
    ASSERT_TRUE(large.legal(y));
    for (Index i = 0; i < n; ++i) {
      ++counts[i % kGroup * kGroup + static_cast<Index>(y[i]) % kGroup];
    }
  }
  for (Index e = 0; e < counts.size(); ++e) {
    constexpr double kTotal = kDraws * kGroups;
    const double deviation = std::sqrt(marginals[e] * (1 - marginals[e]) / kTotal);
    EXPECT_NEAR(counts[e] / kTotal, marginals[e], 4 * deviation + 1e-12);
  }
}

TEST(Permutation, EstimatesAreExactWhereThereAreTables) {
  Random random(4);
  Permutation::Scratch scratch;
  const Permutation structure(9);
  const std::vector<double> s = draw_scores(Scores::kSmall, 81, random);
  std::vector<Permutation::Output> outputs;
  const LogSumEstimate estimate = structure.sample_and_estimate(s, 3, random, scratch, outputs);
  EXPECT_EQ(estimate.value, structure.log_partition(s, scratch));
  EXPECT_EQ(estimate.standard_error, 0);
  EXPECT_THROW(structure.sample_and_estimate(s, 0, random, scratch, outputs), UsageError);
}

}  // namespace
}  // namespace trellis
