#include "trellis/generative/grammar/rule_frequencies.h"

#include <gtest/gtest.h>

#include <map>

namespace trellis {
namespace {

TEST(RuleFrequencies, OfASymbolSumToOne) {
  const std::vector<CountedRule> rules{{0, 0, 3}, {0, 1, 1}, {1, 0, 1}, {1, 2, 7}, {2, 3, 5}};
  const std::vector<double> p = rule_frequencies(rules);
  std::map<std::uint32_t, double> sums;
  for (Index r = 0; r < rules.size(); ++r) sums[rules[r].symbol] += p[r];
  for (const auto& [symbol, sum] : sums) EXPECT_NEAR(sum, 1, 1e-12) << symbol;
  EXPECT_EQ(p[4], 1);
}

// (c + d q) / (C + d), where the rules of symbol 0 are of kinds that were seen 4 and 1 times.
TEST(RuleFrequencies, LeanOnTheirKinds) {
  const std::vector<CountedRule> rules{{0, 0, 3}, {0, 1, 1}, {1, 0, 1}};
  const std::vector<double> p = rule_frequencies(rules);
  EXPECT_NEAR(p[0], (3 + 2 * 0.8) / 6, 1e-12);
  EXPECT_NEAR(p[1], (1 + 2 * 0.2) / 6, 1e-12);
}

TEST(RuleFrequencies, OfKindsOfTheirOwnAreRelativeFrequencies) {
  const std::vector<CountedRule> rules{{0, 0, 3}, {0, 1, 1}};
  const std::vector<double> p = rule_frequencies(rules);
  EXPECT_NEAR(p[0], 0.75, 1e-12);
}

}  // namespace
}  // namespace trellis
