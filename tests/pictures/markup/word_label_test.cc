#include "trellis/pictures/markup/word_label.h"

#include <gtest/gtest.h>

#include <string>

#include "trellis/base/text.h"

namespace trellis::report::word_label_test {
namespace {

TEST(WordLabel, WidthsAreThoseOfLetters) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_LT(text_width("illicit"), text_width("mammoth"));
  EXPECT_GT(text_width("漢字"), 2);
  EXPECT_LT(text_width("e\u0301"), 1.2 * text_width("e"));
}

TEST(WordLabel, ShortWordsStayAndLongOnesAreCut) {
  EXPECT_EQ(fit_text("harbour", 9), "harbour");
  const std::string word = "Rindfleischetikettierungsüberwachungsaufgabe";
  const std::string cut = fit_text(word, 9);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut), 9);
  EXPECT_GT(text_width(cut), 7.5);
  EXPECT_TRUE(word.starts_with(cut.substr(0, cut.size() - std::string("…").size())));
}

TEST(WordLabel, CutsBetweenCharacters) {
  for (const char* letter : {"ü", "漢", "🐟", "\u0301"}) {
    std::string word;
    for (int i = 0; i < 5000; ++i) word += letter;
    const std::string cut = fit_text(word, 6);
    EXPECT_EQ(find_invalid_utf8(cut), std::string::npos) << letter;
    EXPECT_LT(cut.size(), 300U) << letter;
  }
  EXPECT_EQ(fit_text("a\xFFz", 9), "a\uFFFDz");
}

TEST(WordLabel, OnlyWhatMayRunFromTheRightIsIsolated) {
  EXPECT_EQ(isolated("harbour"), "harbour");
  EXPECT_EQ(isolated("pêcheur"), "pêcheur");
  EXPECT_EQ(isolated("港…"), "港…");
  EXPECT_EQ(isolated("ميناء"), "\u2068ميناء\u2069");
  EXPECT_EQ(isolated("\u202Ex"), "\u2068\u202Ex\u2069");
}

}  // namespace
}  // namespace trellis::report::word_label_test
