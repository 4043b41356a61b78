#include "trellis/base/words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace trellis::words_test {
namespace {

using Strings = std::vector<std::string>;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string_view> views;
  split_words(text, views);
  return {views.begin(), views.end()};
}

TEST(Words, AreRunsOfLettersAndDigits) {
  EXPECT_EQ(words("It's 9:30, isn't_it?"), (Strings{"It", "s", "9", "30", "isn", "t_it"}));
  EXPECT_EQ(words("  "), Strings{});
  EXPECT_EQ(words("Größe ÉTÉ Ωμέγα"), (Strings{"Größe", "ÉTÉ", "Ωμέγα"}));
}

TEST(Words, KeepMarksWithTheirLetters) {
  EXPECT_EQ(words("e\xCC\x81t\xC3\xA9 x"), (Strings{"e\xCC\x81t\xC3\xA9", "x"}));
}

TEST(Words, AreCharactersInScriptsWithoutBlanks) {
  EXPECT_EQ(words("東京 tower"), (Strings{"東", "京", "tower"}));
  EXPECT_EQ(words("😀ok"), (Strings{"😀", "ok"}));
}

TEST(Words, KnowScriptsWithoutBlanks) {
  std::vector<TextWord> words;
  split_words("東a\u0301 😀ไ", words);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_TRUE(words[0].unspaced);
  EXPECT_EQ(words[1].text, "a\u0301");
  EXPECT_FALSE(words[1].unspaced);
  EXPECT_FALSE(words[2].unspaced);  // a picture belongs to no script
  EXPECT_TRUE(words[3].unspaced);
}

}  // namespace
}  // namespace trellis::words_test
