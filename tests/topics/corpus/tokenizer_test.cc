#include "trellis/topics/corpus/tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/topics/corpus/stop_words.h"

namespace trellis::topics::tokenizer_test {
namespace {

using Strings = std::vector<std::string>;

struct Found {
  Strings words;
  Index left_out = 0;
};

Found tokenize(std::string_view text, const TextOptions& options = {}) {
  Tokenizer tokenizer(options);
  Found found;
  found.left_out =
      tokenizer.tokenize(text, [&](std::string_view word) { found.words.emplace_back(word); });
  return found;
}

TEST(Tokenizer, MakesWordsInLowerCaseWithoutNumbersAndSingleLetters) {
  const Found found = tokenize("It isn't 1993, says A. B. McDonald: x86 __ 3_000 ٣٤");
  EXPECT_EQ(found.words, (Strings{"it", "isn", "says", "mcdonald", "x86"}));
  EXPECT_EQ(found.left_out, 7u);  // t 1993 a b __ 3_000 ٣٤
}

TEST(Tokenizer, ReadsAnyScript) {
  EXPECT_EQ(tokenize("Ἀθῆναι МОСКВА ירושלים दिल्ली İstanbul").words,
            (Strings{"ἀθῆναι", "москва", "ירושלים", "दिल्ली", "istanbul"}));
}

TEST(Tokenizer, KeepsWhatItIsToldTo) {
  TextOptions options;
  options.lowercase = false;
  options.numbers = true;
  options.min_length = 1;
  EXPECT_EQ(tokenize("A 7 Cat", options).words, (Strings{"A", "7", "Cat"}));
  options.min_length = 3;
  EXPECT_EQ(tokenize("öl éàü at 99", options).words, Strings{"éàü"});  // characters, not bytes
}

TEST(Tokenizer, PairsCharactersOfScriptsWithoutBlanks) {
  EXPECT_EQ(tokenize("北京大学 and 水").words, (Strings{"北京", "京大", "大学", "and", "水"}));
  EXPECT_EQ(tokenize("日本、語").words, (Strings{"日本", "語"}));  // a comma parts them
  TextOptions characters;
  characters.unspaced = UnspacedScripts::kCharacters;
  EXPECT_EQ(tokenize("北京 x1", characters).words, (Strings{"北", "京", "x1"}));
}

TEST(Tokenizer, LeavesStopWordsOut) {
  TextOptions options;
  options.stop_words.add("the");
  options.stop_words.add("北京");
  const Found found = tokenize("The north THE 北京大 then", options);
  EXPECT_EQ(found.words, (Strings{"north", "京大", "then"}));
  EXPECT_EQ(found.left_out, 3u);
}

TEST(Tokenizer, MakesNgramsOfWordsInARow) {
  TextOptions options;
  options.ngrams = 3;
  options.stop_words.add("of");
  EXPECT_EQ(tokenize("New York-based bank, port of call", options).words,
            (Strings{"new", "new york", "new york based", "york", "york based", "york based bank",
                     "based", "based bank", "bank", "port", "call"}));
  options.ngrams = 2;
  EXPECT_EQ(tokenize("two\n lines 7 ones", options).words,
            (Strings{"two", "two lines", "lines", "ones"}));
  EXPECT_EQ(tokenize("", options).words, Strings{});
}

TEST(Tokenizer, BeginsEachTextAnew) {
  TextOptions options;
  options.ngrams = 2;
  Tokenizer tokenizer(options);
  Strings words;
  for (const char* text : {"one", "two three"}) {
    tokenizer.tokenize(text, [&](std::string_view word) { words.emplace_back(word); });
  }
  EXPECT_EQ(words, (Strings{"one", "two", "two three", "three"}));
}

TEST(TextOptions, AreToldAsAValue) {
  TextOptions options;
  options.lowercase = false;
  options.ngrams = 4;
  options.min_length = 5;
  options.unspaced = UnspacedScripts::kCharacters;
  const TextOptions again = TextOptions::from_value(options.to_value());
  EXPECT_EQ(again.to_value(), options.to_value());
  Value value = options.to_value();
  value["ngrams"] = 99;
  EXPECT_THROW(TextOptions::from_value(value), UsageError);
  value.erase("ngrams");
  EXPECT_THROW(TextOptions::from_value(value), ValueError);
}

TEST(TextOptions, AreRefusedOutOfRange) {
  for (const Index ngrams : {Index{0}, TextOptions::kMaxNgrams + 1}) {
    TextOptions options;
    options.ngrams = ngrams;
    EXPECT_THROW(Tokenizer{options}, UsageError);
  }
  TextOptions options;
  options.min_length = 0;
  EXPECT_THROW(Tokenizer{options}, UsageError);
}

TEST(StopWords, AreBuiltInForEnglish) {
  TextOptions options;
  options.stop_words = read_stop_words("english");
  EXPECT_GT(options.stop_words.size(), 200u);
  EXPECT_EQ(tokenize("They don't know what we've seen, it's the sea!", options).words,
            (Strings{"know", "seen", "sea"}));
}

TEST(StopWords, AreReadFromAFile) {
  const testing::TemporaryDirectory folder;
  const NameList words =
      read_stop_words(folder.make("stop", "# mine\nDer die\n\ndon't\n7\n東京\n"));
  for (const char* word : {"der", "die", "don", "t", "7", "東京"}) {
    EXPECT_NE(words.find(word), NameList::kNone) << word;
  }
  EXPECT_EQ(words.size(), 6u);
  EXPECT_THROW(read_stop_words(folder.file("nothing")), InputError);
  try {
    read_stop_words(folder.make("latin1", "a\nb\xE9\n"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2u);
  }
}

}  // namespace
}  // namespace trellis::topics::tokenizer_test
