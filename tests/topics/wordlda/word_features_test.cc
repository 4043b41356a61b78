#include "trellis/topics/wordlda/word_features.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/topics/words/error_of.h"
#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/base/output_file.h"

namespace trellis::topics::word_features_test {
namespace {

using Row = std::vector<WordFeatures::Value>;
using testing::input_error_of;
using testing::text_file;
using testing::word_list;

ReadWordFeatures read(std::string_view text) {
  const NameList vocabulary = word_list({"walking", "house", "paris"});
  WordFinder words(vocabulary, {});
  return read_word_features(text_file(text), words);
}

Row row_of(const WordFeatures& features, Index word) {
  const auto row = features[word];
  return {row.begin(), row.end()};
}

TEST(WordFeatures, AreReadFromLines) {
  const auto [features, tally] = read(
      "# word, features\n"
      "house\tnoun length:5\n"
      "\n"
      "flying\tverb suffix=ing\n"
      " Walking \t  suffix=ing  noun:-0.5   a:b:2e1 \n"
      "new york\tplace\n");
  EXPECT_EQ(features.num_words(), 3u);
  ASSERT_EQ(features.num_features(), 4u);  // those of words outside are not among them
  EXPECT_EQ(features.names()[0], "noun");
  EXPECT_EQ(features.names()[1], "length");
  EXPECT_EQ(features.names()[2], "suffix=ing");
  EXPECT_EQ(features.names()[3], "a:b");
  EXPECT_EQ(row_of(features, 0), (Row{{0, -0.5F}, {2, 1}, {3, 20}}));
  EXPECT_EQ(row_of(features, 1), (Row{{0, 1}, {1, 5}}));
  EXPECT_TRUE(features[2].empty());
  EXPECT_EQ(features.num_values(), 5u);
  EXPECT_EQ(tally.lines, 4u);
  EXPECT_EQ(tally.outside, 2u);
}

TEST(WordFeatures, AreReadFromCompressedFiles) {
  const testing::TemporaryDirectory directory;
  const NameList vocabulary = word_list({"house"});
  WordFinder words(vocabulary, {});
  for (const char* name : {"features", "features.gz", "features.zst"}) {
    AtomicFile file(directory.file(name));
    file.write("house\tnoun\n");
    file.commit();
    EXPECT_EQ(read_word_features(InputFile(directory.file(name)), words).features.num_values(), 1u);
  }
}

TEST(WordFeatures, RefusesLinesOfAnotherShape) {
  const std::string shape = "expected a word, a tab, and features separated by blanks, found ";
  const std::string feature =
      "expected a feature's name, or a name, a colon and a finite number, found ";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"house\tnoun\nparis\n", "words.txt:2: " + shape + "\"paris\""},
           {"house noun", "words.txt:1: " + shape + "\"house noun\""},
           {"house\t ", "words.txt:1: " + shape},
           {"\tnoun", "words.txt:1: " + shape},
           {"house\tnoun\tverb", "words.txt:1: " + shape},
           {"house\tlength:long", "words.txt:1: " + feature + "\"length:long\""},
           {"house\tlength:", "words.txt:1: " + feature + "\"length:\""},
           {"house\t:1", "words.txt:1: " + feature + "\":1\""},
           {"house\tlength:nan", "words.txt:1: " + feature},
           {"house\tlength:inf", "words.txt:1: " + feature},
           {"house\tlength:1e39", "words.txt:1: " + feature},
           {"house\ta\nparis\tb\nHouse\tc",
            "words.txt:3: expected each word once, found another line of \"House\""},
           {"house\ta b a:2",
            "words.txt:1: expected each feature of a word once, found another \"a\""},
           {"house\t\xFF", "words.txt:1: expected UTF-8"},
       }) {
    const std::string said = input_error_of([&bytes = text] { read(bytes); });
    EXPECT_TRUE(said.starts_with(message)) << text << ": " << said;
  }
}

TEST(WordFeatures, RefusesRowsThatDoNotGoTogether) {
  NameList names;
  names.add("a");
  names.add("b");
  const WordFeatures whole({0, 2, 2}, {{0, 1}, {1, 2}}, names);
  EXPECT_EQ(whole.num_words(), 2u);
  EXPECT_THROW(WordFeatures({}, {}, names), UsageError);
  EXPECT_THROW(WordFeatures({0, 1}, {{0, 1}, {1, 2}}, names), UsageError);
  EXPECT_THROW(WordFeatures({0, 3, 2}, {{0, 1}, {1, 2}}, names), UsageError);
  EXPECT_THROW(WordFeatures({0, 2}, {{1, 1}, {0, 2}}, names), UsageError);
  EXPECT_THROW(WordFeatures({0, 1}, {{2, 1}}, names), UsageError);
  EXPECT_THROW(WordFeatures({0, 1}, {{0, std::numeric_limits<float>::infinity()}}, names),
               UsageError);
}

}  // namespace
}  // namespace trellis::topics::word_features_test
