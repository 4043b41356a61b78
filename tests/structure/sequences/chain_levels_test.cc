#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "chain_instance.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {
namespace {

using namespace conformance;

TEST(ChainLevels, EachLevelHasTheBestOutputOfAll) {
  Random random(51);
  Chain::Scratch scratch;
  std::vector<ScoredOutput<Chain::Output>> best;
  for (int trial = 0; trial < 1000; ++trial) {
    ChainOptions options;
    options.order = 1 + static_cast<int>(random.below(3));
    options.transitions =
        random.below(2) == 0 ? Transitions::kTied : Transitions::kPositionDependent;
    options.rules = random.below(2) == 0;
    options.restricted = random.below(2) == 0;
    const ChainInstance instance = make_chain(options, random);
    const Chain& chain = *instance.chain;
    const Index labels = chain.states().num_labels();
    std::vector<double> s(chain.num_parts());
    // Small whole numbers: many ties, and no rounding.
    for (double& score : s) score = static_cast<double>(random.below(7)) - 3;
    std::vector<std::uint32_t> levels(chain.length() * labels);
    for (std::uint32_t& level : levels) level = static_cast<std::uint32_t>(random.below(4));
    const Index num_levels = 1 + random.below(12);
    std::vector<double> expected(num_levels, kImpossible);
    const auto level_of = [&](const Chain::Output& y) {
      Index level = 0;
      for (Index t = 0; t < y.size(); ++t) level += levels[chain.node_part(t, y[t])];
      return level;
    };
    for (const Chain::Output& y : instance.outputs) {
      if (level_of(y) >= num_levels) continue;
      double& entry = expected[level_of(y)];
      entry = std::max(entry, chain.score(s, y));
    }
    chain.maximize_levels(s, levels, num_levels, scratch, best);
    ASSERT_EQ(best.size(), num_levels);
    for (Index level = 0; level < num_levels; ++level) {
      EXPECT_EQ(best[level].score, expected[level]);
      EXPECT_EQ(best[level].output.empty(), expected[level] == kImpossible);
      if (best[level].output.empty()) continue;
      EXPECT_TRUE(chain.legal(best[level].output));
      EXPECT_EQ(level_of(best[level].output), level);
      EXPECT_EQ(chain.score(s, best[level].output), expected[level]);
    }
  }
}

TEST(ChainLevels, LevelsOfZeroAreTheMaximum) {
  Random random(52);
  const ChainStates states(TransitionRules(4));
  const Chain chain(states, 6);
  std::vector<double> s(chain.num_parts());
  for (double& score : s) score = random.normal();
  Chain::Scratch scratch;
  Chain::Output y;
  std::vector<ScoredOutput<Chain::Output>> best;
  const double value = chain.maximize(s, scratch, y);
  chain.maximize_levels(s, std::vector<std::uint32_t>(24, 0), 3, scratch, best);
  EXPECT_EQ(best[0].score, value);
  EXPECT_EQ(best[0].output, y);
  EXPECT_EQ(best[1].score, kImpossible);
  chain.maximize_levels(s, std::vector<std::uint32_t>(24, 0), 0, scratch, best);
  EXPECT_TRUE(best.empty());
}

}  // namespace
}  // namespace trellis
