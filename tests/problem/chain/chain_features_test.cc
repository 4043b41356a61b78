#include "trellis/problem/chain/chain_features.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/problem/chain/chain_examples.h"
#include "trellis/problem/chain/chain_feature_builder.h"

namespace trellis {
namespace {

using State = ChainStates::State;

// The rules of IOB2 over O, B and I: I may not start, nor follow O.
TransitionRules span_rules() {
  TransitionRules rules(3);
  rules.forbid_start(2);
  rules.forbid(0, 2);
  return rules;
}

TransitionRules random_rules(std::uint64_t seed) {
  Random random(seed);
  TransitionRules rules(4);
  for (Label i = 0; i < 4; ++i) {
    if (random.below(3) == 0) rules.forbid_start(i);
    for (Label j = 0; j < 4; ++j) {
      if (random.below(3) == 0) rules.forbid(i, j);
    }
  }
  return rules;
}

void expect_every_transition_found(const ChainStates& states) {
  for (Index j = 0; j < states.num_labels(); ++j)
    EXPECT_EQ(find_gram(states, {}, static_cast<Label>(j)), j);
  for (State u = 0; u < states.num_states(); ++u) {
    for (Label j = 0; j < static_cast<Label>(states.num_labels()); ++j)
      EXPECT_EQ(find_gram(states, states.tuple(u), j), states.transition(u, j));
  }
}

TEST(ChainFeatures, FindGramFindsEveryTransition) {
  for (int order = 1; order <= 4; ++order) {
    expect_every_transition_found(ChainStates(span_rules(), order));
    for (std::uint64_t seed = 0; seed < 50; ++seed)
      expect_every_transition_found(ChainStates(random_rules(seed), order));
  }
}

TEST(ChainFeatures, FindGramKnowsNothingOfHistoriesThatCannotOccur) {
  const ChainStates states(span_rules(), 2);
  const std::vector<Label> impossible = {0, 2};
  EXPECT_EQ(find_gram(states, impossible, 0), ChainStates::kNone);
  const std::vector<Label> start = {2};
  EXPECT_EQ(find_gram(states, start, 0), ChainStates::kNone);
}

// What follows I (which cannot start a sequence) has its trigrams like anything else.
TEST(ChainFeatures, EveryObservedTrigramHasAWeight) {
  ChainExamples examples(3);
  const std::vector<Label> labels = {0, 1, 2, 2, 0, 1, 0};
  const std::vector<std::uint32_t> begin(labels.size() + 1, 0);
  examples.nodes().add(begin, {}, {});
  examples.add(labels);
  const ChainStates states(span_rules(), 2);
  const ChosenChainFeatures chosen = choose_chain_features(states, {}, 0, 0, examples);
  for (Index t = 2; t < labels.size(); ++t) {
    const Index gram = find_gram(states, std::span(labels).subspan(t - 2, 2), labels[t]);
    ASSERT_NE(gram, ChainStates::kNone) << t;
    EXPECT_NE(chosen.grams.levels[1][gram], GramWeights::kNone) << t;
  }
}

// Labels that are known, between others that are not, may contradict the rules: such a pair gets
// no weight, and whoever trains refuses the example.
TEST(ChainFeatures, ForbiddenPairsOfPartialLabelsGetNoWeight) {
  for (int order = 1; order <= 3; ++order) {
    ChainExamples examples(3);
    const std::vector<std::uint32_t> begin(5, 0);
    examples.nodes().add(begin, {}, {});
    examples.add({0, 2, 2, kNoLabel});
    const ChainStates states(span_rules(), order);
    const ChosenChainFeatures chosen = choose_chain_features(states, {}, 0, 0, examples);
    EXPECT_EQ(chosen.grams.levels[0][3 + 2], GramWeights::kNone);
  }
}

TEST(ChainFeatures, RowsOfAFileAreCheckedBeforeTheyAreUsed) {
  using Begin = std::vector<std::uint64_t>;
  using Targets = std::vector<std::uint32_t>;
  EXPECT_TRUE(valid_rows(Begin{0}, Targets{}, 3));
  EXPECT_TRUE(valid_rows(Begin{0, 2, 2, 3}, Targets{0, 2, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{}, Targets{}, 3));
  EXPECT_FALSE(valid_rows(Begin{1, 2}, Targets{0, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, 3}, Targets{0, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, 2, 1, 2}, Targets{0, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, ~std::uint64_t{0}, 2}, Targets{0, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, 2}, Targets{0, 3}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, 2}, Targets{1, 1}, 3));
  EXPECT_FALSE(valid_rows(Begin{0, 2}, Targets{2, 1}, 3));
}

}  // namespace
}  // namespace trellis
