#include "trellis/structure/permutation.h"

#include <gtest/gtest.h>

#include <numeric>

#include "structure_conformance.h"
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

}  // namespace
}  // namespace trellis
