#include "trellis/problem/chain/untied_chain_model.h"

#include <gtest/gtest.h>

#include "tests/problem/chain/random_chains.h"
#include "tests/problem/oracle_conformance.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis {
namespace {

testing::RandomChainOptions options(int order, bool edges) {
  testing::RandomChainOptions chosen;
  chosen.order = order;
  chosen.edges = edges;
  chosen.rules = true;
  chosen.values = true;
  return chosen;
}

class UntiedChains : public ::testing::TestWithParam<std::pair<int, bool>> {};

TEST_P(UntiedChains, HaveTheLossesOfTheTiedModel) {
  const auto [order, edges] = GetParam();
  const testing::RandomChains chains(options(order, edges), 3);
  const UntiedChainModel untied(chains.model());
  Random random(4);
  for (int trial = 0; trial < 5; ++trial) {
    const auto w =
        testing::random_weights(chains.model().dimension(), trial, random, chains.restriction());
    for (Index i = 0; i < chains.model().num_examples(); ++i) {
      EXPECT_NEAR(testing::value_at(HingeProblem(untied), i, w),
                  testing::value_at(HingeProblem(chains.model()), i, w), 1e-12);
      EXPECT_NEAR(testing::value_at(SmoothProblem(untied, 1, 1), i, w),
                  testing::value_at(SmoothProblem(chains.model(), 1, 1), i, w), 1e-12);
    }
  }
}

TEST_P(UntiedChains, KeepTheOraclesPromises) {
  const auto [order, edges] = GetParam();
  const testing::RandomChains chains(options(order, edges), 5);
  const UntiedChainModel untied(chains.model());
  testing::expect_touching(HingeProblem(untied), 6, chains.restriction());
  testing::expect_minorant(HingeProblem(untied), 7, chains.restriction());
  testing::expect_gradient(SmoothProblem(untied), 8, chains.restriction());
  EXPECT_TRUE(EntropicPartProblem<UntiedChainModel>(untied).faces_by_zeros());
}

INSTANTIATE_TEST_SUITE_P(Orders, UntiedChains,
                         ::testing::Values(std::pair{1, false}, std::pair{1, true},
                                           std::pair{2, false}, std::pair{3, false}));

}  // namespace
}  // namespace trellis
