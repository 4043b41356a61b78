#include "trellis/topics/corpus/word_finder.h"

#include <gtest/gtest.h>

#include <string_view>

namespace trellis::topics::word_finder_test {
namespace {

TEST(WordFinder, FindsWordsAsTheyAreOrAsTheTokeniserHasThem) {
  NameList vocabulary;
  for (const char* word : {"paris", "hague", "new york", "c++", "élan", "北京"}) {
    vocabulary.add(word);
  }
  TextOptions text;
  text.ngrams = 2;
  text.stop_words.add("the");
  WordFinder words(vocabulary, text);
  const auto found = [&](std::string_view written) { return words.find(written).word; };
  EXPECT_EQ(found("paris"), 0u);
  EXPECT_EQ(found(" Paris! "), 0u);
  EXPECT_EQ(found("The Hague"), 1u);  // of one word, but for a stop word
  EXPECT_EQ(found("New York"), 2u);   // the vocabulary has the phrase
  EXPECT_EQ(found("new-york"), 2u);
  EXPECT_EQ(found("c++"), 3u);  // as it is
  EXPECT_EQ(found("ÉLAN"), 4u);
  EXPECT_EQ(found("北京"), 5u);

  const auto kind = [&](std::string_view written) { return words.find(written).kind; };
  EXPECT_EQ(kind("paris"), TextKind::kWord);
  EXPECT_EQ(kind("london"), TextKind::kOutside);
  EXPECT_EQ(kind("new paris"), TextKind::kPhrase);
  EXPECT_EQ(kind("ne ... pas"), TextKind::kPhrase);
  EXPECT_EQ(kind("北京大学"), TextKind::kPhrase);
  EXPECT_EQ(kind("..."), TextKind::kNothing);
  EXPECT_EQ(kind("the"), TextKind::kNothing);
  EXPECT_EQ(kind("  "), TextKind::kNothing);
  EXPECT_EQ(kind(""), TextKind::kNothing);
}

}  // namespace
}  // namespace trellis::topics::word_finder_test
