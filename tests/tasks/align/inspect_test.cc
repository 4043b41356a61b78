#include "trellis/tasks/align/inspect.h"

#include <gtest/gtest.h>

#include <vector>

#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"

namespace trellis::align::inspect_test {
namespace {

// No sentence of the text may have allowed the longest jumps, and what they weigh means nothing.
TEST(JumpShares, AreOfTheJumpsThatAreShown) {
  JumpPositions::Options options;
  options.reach = 3;
  const JumpPositions jumps(options, {50, 0.1, 0.2, 0.3, 1.2, 0.2, 50});
  const std::vector<JumpShare> shares = jump_shares(jumps, 2);
  ASSERT_EQ(shares.size(), 5U);
  EXPECT_EQ(shares.front().distance, -2);
  EXPECT_NEAR(shares[3].probability, 0.6, 1e-12);
  EXPECT_EQ(jump_shares(jumps, 9).size(), 7U);
  EXPECT_TRUE(jump_shares(UniformPositions(0.2), 5).empty());
}

TEST(Describe, TellsHowLinksAreDecoded) {
  EXPECT_EQ(describe(Decoding{Combination::kProduct, Decode::kViterbi, 0.25}),
            "product, threshold 0.25");
  EXPECT_EQ(describe(Decoding{Combination::kUnion, Decode::kViterbi, 0.25}), "union, viterbi");
  EXPECT_EQ(describe(Decoding{Combination::kForward, Decode::kPosterior, 0.5}),
            "forward, posterior, threshold 0.5");
}

}  // namespace
}  // namespace trellis::align::inspect_test
