#include "trellis/tasks/grammar/page/constituency_picture.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/brackets/bracket_reader.h"
#include "trellis/scorers/evalb.h"

namespace trellis::report::constituency_picture_test {
namespace {

grammar::ConstituencyTree tree_of(const std::string& text) {
  return grammar::read_trees(InputFile::from_bytes(text, "t")).at(0);
}

// The phrase hangs on the noun in place of the verb, and a tag is wrong.
ConstituencyPicture small_picture() {
  ConstituencyPicture picture;
  picture.name = "line 7";
  picture.gold = tree_of(
      "(S (NP (PRP He)) (VP (VBD ate) (NP (NN cake)) (PP (IN with) (NP (NNS forks)))) (. .))");
  picture.found = tree_of(
      "(S (NP (PRP He)) (VP (VBD ate) (NP (NP (NN cake)) (PP (IN with) (NP (NN forks))))) (. .))");
  return picture;
}

std::string drawn(const ConstituencyPicture& picture) {
  const std::string markup = constituency_picture(picture).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_EQ(markup.find("nan"), std::string::npos);
  return markup;
}

int lines(const std::string& markup, const std::string& style) {
  return count_of(markup, "<g class=\"arc " + style + "\"");
}

TEST(ConstituencyPicture, JudgesEachNodeAsEvalbDoes) {
  using enum NodeVerdict;
  const ConstituencyPicture picture = small_picture();
  const ConstituencyVerdicts verdicts = judge_nodes(picture);
  EXPECT_EQ(verdicts.found,
            (std::vector{kPlain, kRight, kRight, kRight, kRight, kRight,  // TOP S NP PRP VP VBD
                         kWrong, kRight, kRight, kRight, kRight, kRight,  // NP NP NN PP IN NP
                         kWrong, kRight}));                               // NN .
  grammar::Evalb evalb;
  const grammar::SentenceScore& score = evalb.add(*picture.gold, picture.found).score;
  EXPECT_EQ(score.test - score.matched, 1U);
  EXPECT_EQ(score.gold - score.matched, 0U);
  EXPECT_FALSE(verdicts.all_right());
}

TEST(ConstituencyPicture, DrawsBothTreesWhereThereIsAMistake) {
  const std::string markup = drawn(small_picture());
  EXPECT_EQ(count_of(markup, "<svg"), 2);
  EXPECT_EQ(lines(markup, "stray"), 1);
  EXPECT_EQ(lines(markup, "lost"), 0);
  EXPECT_EQ(lines(markup, "sound"), 7 + 7);
  const std::string seen = visible_text(markup);
  EXPECT_NE(seen.find("line 7: 6 words, 1 wrong bracket, 1 wrong tag"), std::string::npos);
  EXPECT_NE(seen.find("✗ NP"), std::string::npos);
  EXPECT_NE(seen.find("NP, words 3–5, cake with forks: wrong"), std::string::npos);
}

TEST(ConstituencyPicture, MarksWhatWasMissed) {
  ConstituencyPicture picture = small_picture();
  std::swap(picture.found, *picture.gold);
  const std::string markup = drawn(picture);
  EXPECT_EQ(lines(markup, "lost"), 1);
  EXPECT_EQ(lines(markup, "stray"), 0);
  EXPECT_NE(visible_text(markup).find("1 missed, 1 wrong tag"), std::string::npos);
}

TEST(ConstituencyPicture, DrawsOneTreeWhereAllIsRightOrNobodyKnows) {
  ConstituencyPicture picture = small_picture();
  picture.found = *picture.gold;
  EXPECT_EQ(count_of(drawn(picture), "<svg"), 1);
  EXPECT_NE(visible_text(drawn(picture)).find("all correct"), std::string::npos);
  picture.gold.reset();
  EXPECT_EQ(count_of(drawn(picture), "<svg"), 1);
  EXPECT_EQ(visible_text(drawn(picture)).find("correct"), std::string::npos);
}

TEST(ConstituencyPicture, TreesOfOtherWordsAreNotJudged) {
  ConstituencyPicture picture = small_picture();
  picture.found = tree_of("(S (NP (PRP She)) (VP (VBD left)))");
  for (const NodeVerdict verdict : judge_nodes(picture).found) {
    EXPECT_EQ(verdict, NodeVerdict::kPlain);
  }
  EXPECT_EQ(count_of(drawn(picture), "<svg"), 2);
}

TEST(ConstituencyPicture, WordsOfStrangersAreEscaped) {
  ConstituencyPicture picture;
  picture.found = tree_of("(S<b> (N&N </svg>) (NN \"\xd7\xa9\"))");
  EXPECT_EQ(count_of(drawn(picture), "</svg>"), 1);
}

TEST(ConstituencyPicture, TreesBeyondTheLimitsAreNotDrawn) {
  std::string wide = "(S";
  for (Index i = 0; i <= kMaxBracketedWords; ++i) wide += " (NN a)";
  std::string deep;
  for (Index i = 0; i < kMaxBracketLevels; ++i) deep += "(S ";
  deep += "(NN a)" + std::string(kMaxBracketLevels, ')');
  for (const std::string& text : {wide + ")", deep}) {
    ConstituencyPicture picture;
    picture.found = tree_of(text);
    EXPECT_EQ(count_of(drawn(picture), "<svg"), 0);
    EXPECT_NE(visible_text(drawn(picture)).find("are not drawn"), std::string::npos);
  }
}

TEST(ConstituencyPicture, TheLegendIsWellFormed) {
  EXPECT_EQ(find_markup_fault(constituency_legend().markup()), "");
}

}  // namespace
}  // namespace trellis::report::constituency_picture_test
