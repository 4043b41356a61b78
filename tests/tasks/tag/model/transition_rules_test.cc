#include "trellis/tasks/tag/model/transition_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/columns/label_sequences.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

using Strings = std::vector<std::string>;

TEST(TransitionRulesOfTags, AllowJustTheLegalSequences) {
  for (const TagScheme scheme : testing::kSpanSchemes) {
    const Strings labels = testing::label_alphabet(scheme);
    const TransitionRules rules = transition_rules(labels, scheme);
    testing::for_each_sequence(
        labels, 4, [&](const std::vector<std::string_view>& sequence, const std::vector<Index>& y) {
          if (y.empty()) return;
          bool allowed = rules.may_start(static_cast<Label>(y.front())) &&
                         rules.may_stop(static_cast<Label>(y.back()));
          for (Index t = 1; t < y.size(); ++t) {
            allowed =
                allowed && rules.may_follow(static_cast<Label>(y[t - 1]), static_cast<Label>(y[t]));
          }
          EXPECT_EQ(allowed, !find_fault(sequence, scheme));
        });
  }
}

TEST(TransitionRulesOfTags, RefuseForeignLabels) {
  EXPECT_THROW(transition_rules(Strings{"O", "E-X"}, TagScheme::kIob2), UsageError);
  EXPECT_THROW(transition_rules(Strings{"O", "NN"}, TagScheme::kBioes), UsageError);
}

TEST(TransitionRulesOfTags, AllowEverythingToPlainLabels) {
  const Strings tags = {"NN", "B-X", "I-Y", "-LRB-"};
  EXPECT_TRUE(transition_rules(tags, TagScheme::kPlain).allows_everything());
}

}  // namespace
}  // namespace trellis::tag
