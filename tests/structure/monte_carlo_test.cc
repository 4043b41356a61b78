#include "trellis/structure/monte_carlo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/structure/matchings/permutation.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis {
namespace {

TEST(MonteCarlo, MomentsAreThoseOfTheDraws) {
  const Multiclass structure(3);
  const std::vector<Label> outputs = {0, 2, 2, 2};
  const PartMoments moments = part_moments(structure, std::span<const Label>(outputs));
  EXPECT_EQ(moments.mean, (std::vector<double>{0.25, 0, 0.75}));
  // K z̄ (1 − z̄) / K(K − 1)
  EXPECT_NEAR(moments.variance[0], 0.25 * 0.75 / 3, 1e-15);
  EXPECT_EQ(moments.variance[1], 0);
  EXPECT_NEAR(moments.variance[2], 0.25 * 0.75 / 3, 1e-15);
  EXPECT_THROW(part_moments(structure, std::span<const Label>(outputs).first(1)), UsageError);
}

TEST(MonteCarlo, MeansOfDrawsAreTheMarginalsWithinTheirVariance) {
  Random random(1);
  const Index n = 7;
  const Permutation structure(n);
  Permutation::Scratch scratch;
  std::vector<double> s(n * n), marginals(n * n);
  for (double& score : s) score = random.normal();
  structure.log_partition(s, scratch, marginals);
  std::vector<Permutation::Output> outputs;
  structure.sample_and_estimate(s, 4000, random, scratch, outputs);
  const PartMoments moments =
      part_moments(structure, std::span<const Permutation::Output>(outputs));
  for (Index p = 0; p < n * n; ++p) {
    EXPECT_NEAR(moments.mean[p], marginals[p], 5 * std::sqrt(moments.variance[p]) + 1e-3);
    EXPECT_NEAR(moments.variance[p], marginals[p] * (1 - marginals[p]) / 4000, 1e-5);
  }
}

}  // namespace
}  // namespace trellis
