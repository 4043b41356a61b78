#include "trellis/scorers/attachment_counts.h"

#include <gtest/gtest.h>

namespace trellis::parse {
namespace {

TEST(AttachmentCounts, WordsOfPunctuationAreThoseOfNothingElse) {
  for (const char* form : {".", "''", "%", "&", "_", "…", "«", "§", "-)"}) {
    EXPECT_TRUE(is_punctuation_word(form)) << form;
  }
  for (const char* form : {"``", "$", "+", "€", "-LRB-", "a.", "1"}) {
    EXPECT_FALSE(is_punctuation_word(form)) << form;
  }
}

TEST(AttachmentCounts, DistancesHaveTheScriptsBins) {
  EXPECT_EQ(distance_of(0, 9), HeadDistance::kToRoot);
  EXPECT_EQ(distance_of(4, 4), HeadDistance::kOne);
  EXPECT_EQ(distance_of(5, 4), HeadDistance::kOne);
  EXPECT_EQ(distance_of(2, 4), HeadDistance::kTwo);
  EXPECT_EQ(distance_of(10, 4), HeadDistance::kThreeToSix);
  EXPECT_EQ(distance_of(11, 4), HeadDistance::kSevenOrMore);
  EXPECT_EQ(direction_of(0, 4), HeadDirection::kToRoot);
  EXPECT_EQ(direction_of(4, 4), HeadDirection::kSelf);
  EXPECT_EQ(direction_of(3, 4), HeadDirection::kLeft);
  EXPECT_EQ(direction_of(5, 4), HeadDirection::kRight);
}

}  // namespace
}  // namespace trellis::parse
