#include "trellis/structure/sequences/jump_chain.h"

#include <gtest/gtest.h>

#include "tests/structure/structure_conformance.h"

namespace trellis {
namespace {

using namespace conformance;

static_assert(Maximizer<JumpChain> && Summer<JumpChain> && Sampler<JumpChain>);

// Every sequence of positions and nothing.
std::vector<JumpChain::Output> all_walks(Index length, Index positions) {
  std::vector<JumpChain::Output> all = {{}};
  for (Index j = 0; j < length; ++j) {
    std::vector<JumpChain::Output> longer;
    for (const JumpChain::Output& walk : all) {
      for (Label i = kNoLabel; i < static_cast<Label>(positions); ++i) {
        longer.push_back(walk);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

TEST(JumpChain, EveryOperationEqualsEnumeration) {
  Random random(1);
  JumpChain::Scratch scratch;
  for (Index length = 0; length <= 4; ++length) {
    for (Index positions = 0; positions <= 4; ++positions) {
      for (const Index reach : {Index{1}, Index{2}, Index{7}}) {
        const JumpChain chain(length, positions, reach);
        const Enumeration<JumpChain> all(chain, all_walks(length, positions));
        for (int round = 0; round < 4; ++round) {
          for (const Scores kind : kAllScores) {
            SCOPED_TRACE(::testing::Message()
                         << length << " steps, " << positions << " positions, scores of kind "
                         << static_cast<int>(kind));
            const std::vector<double> s = draw_scores(kind, chain.num_parts(), random);
            check_maximize(all, s, scratch);
            check_sums(all, s, scratch);
          }
        }
        check_gradient(chain, draw_scores(Scores::kSmall, chain.num_parts(), random), scratch);
      }
    }
  }
}

// Nodes far apart, jumps not: the scaled domain drops what counts for nothing.
TEST(JumpChain, SumsAreRightWhereNodesDecideAlone) {
  Random random(2);
  JumpChain::Scratch scratch;
  const JumpChain chain(4, 3, 2);
  const Enumeration<JumpChain> all(chain, all_walks(4, 3));
  for (int round = 0; round < 200; ++round) {
    std::vector<double> s = draw_scores(Scores::kSmall, chain.num_parts(), random);
    for (Index p = 0; p < chain.jump_part(-2); ++p) s[p] *= 400;
    check_sums(all, s, scratch);
  }
}

TEST(JumpChain, SamplesFollowTheDistribution) {
  Random random(3);
  JumpChain::Scratch scratch;
  const JumpChain chain(3, 3, 2);
  const Enumeration<JumpChain> all(chain, all_walks(3, 3));
  check_samples(all, draw_scores(Scores::kSmall, chain.num_parts(), random), 20000, random,
                scratch);
  std::vector<double> wide(chain.num_parts(), 0.0);  // the log domain
  wide[chain.jump_part(2)] = -400;
  check_samples(all, wide, 20000, random, scratch);
}

TEST(JumpChain, LinearProgramHasTheWalksAsVertices) {
  Random random(4);
  JumpChain::Scratch scratch;
  const JumpChain chain(3, 2, 1);
  const Enumeration<JumpChain> all(chain, all_walks(3, 2));
  check_outputs_are_feasible(all);
  for (int round = 0; round < 20; ++round) {
    check_linear_program(all, draw_scores(Scores::kSmall, chain.num_parts(), random), scratch);
  }
}

TEST(JumpChain, LongWalksDoNotUnderflow) {
  JumpChain::Scratch scratch;
  const JumpChain chain(3000, 40, 10);
  std::vector<double> s(chain.num_parts(), -20.0), marginals(chain.num_parts());
  const double value = chain.log_partition(s, scratch, marginals);
  EXPECT_TRUE(std::isfinite(value));
  for (Index j = 0; j < 3000; j += 500) {
    double sum = 0;
    for (Label i = kNoLabel; i < 40; ++i) sum += marginals[chain.node_part(j, i)];
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

}  // namespace
}  // namespace trellis
