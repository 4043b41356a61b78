#include "trellis/tasks/align/word_errors.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace trellis::align::word_errors_test {
namespace {

class WordErrorsTest : public ::testing::Test {
 protected:
  void add(std::string_view source, std::string_view target, Links found, GoldLinks gold) {
    SentencePair pair;
    pair.assign(source, target, pairs_.size() + 1);
    pairs_.push_back(std::move(pair));
    AlignedLinks aligned;
    for (const Link link : found) aligned.links.push_back({link, 0.5});
    found_.push_back(std::move(aligned));
    gold_.push_back(std::move(gold));
  }
  std::vector<WordErrors> mistaken(Side side, bool lowercase = true, Index top = 10) const {
    return most_mistaken(pairs_, found_, gold_, side, lowercase, top);
  }

  std::vector<SentencePair> pairs_;
  std::vector<AlignedLinks> found_;
  std::vector<GoldLinks> gold_;
};

TEST_F(WordErrorsTest, CountsWhatIsMissedAndWhatIsWrong) {
  add("The fish", "le poisson", {{0, 0}, {0, 1}}, {{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {}});
  add("the end", "la fin", {{0, 0}, {1, 0}}, {{{1, 1}}, {{0, 0}, {1, 1}}, {}});
  const std::vector<WordErrors> source = mistaken(Side::kSource);
  ASSERT_EQ(source.size(), 3U);
  EXPECT_EQ(source[0].word, "end");  // one missed, one wrong
  EXPECT_EQ(source[0].sure, 1U);
  EXPECT_EQ(source[0].missed, 1U);
  EXPECT_EQ(source[0].found, 1U);
  EXPECT_EQ(source[0].wrong, 1U);
  EXPECT_EQ(source[1].word, "fish");
  EXPECT_EQ(source[1].missed, 1U);
  EXPECT_EQ(source[1].found, 0U);
  EXPECT_EQ(source[2].word, "the");
  EXPECT_EQ(source[2].sure, 1U);
  EXPECT_EQ(source[2].missed, 0U);
  EXPECT_EQ(source[2].found, 3U);
  EXPECT_EQ(source[2].wrong, 1U);  // with 'poisson'; with 'la' it is possible
  const std::vector<WordErrors> target = mistaken(Side::kTarget);
  ASSERT_EQ(target.size(), 3U);
  EXPECT_EQ(target[0].word, "poisson");
  EXPECT_EQ(target[0].errors(), 2U);
  EXPECT_EQ(target[1].word, "fin");
  EXPECT_EQ(target[2].word, "la");
}

TEST_F(WordErrorsTest, CapitalsCountWhereTheyAreKept) {
  add("The the", "x", {{0, 0}, {1, 0}}, {});
  EXPECT_EQ(mistaken(Side::kSource).size(), 1U);
  EXPECT_EQ(mistaken(Side::kSource, false).size(), 2U);
}

TEST_F(WordErrorsTest, KeepsTheFirstAndLeavesOutWhatIsRight) {
  add("a b c", "x y z", {{0, 0}, {1, 1}, {2, 2}}, {{{2, 2}}, {{2, 2}}, {}});
  EXPECT_EQ(mistaken(Side::kSource).size(), 2U);
  EXPECT_EQ(mistaken(Side::kSource, true, 1).size(), 1U);
  EXPECT_TRUE(most_mistaken({}, {}, {}, Side::kTarget, true, 5).empty());
}

}  // namespace
}  // namespace trellis::align::word_errors_test
