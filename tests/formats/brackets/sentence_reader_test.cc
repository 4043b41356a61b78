#include "trellis/formats/brackets/sentence_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::grammar::sentence_reader_test {
namespace {

std::vector<Sentence> read(const std::string& text, const SentenceOptions& options = {}) {
  SentenceReader reader(InputFile::from_bytes(text, "t"), options);
  EXPECT_EQ(reader.name(), "t");
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader.read(sentence);) sentences.push_back(sentence);
  EXPECT_EQ(reader.name(), "t");
  return sentences;
}

TEST(SentenceReader, ASentenceALine) {
  EXPECT_EQ(read("\n  The soup\tboils .\r\n \nTaste it ( now )"),
            (std::vector<Sentence>{{{"The", "soup", "boils", "."}, 2},
                                   {{"Taste", "it", "-LRB-", "now", "-RRB-"}, 4}}));
  EXPECT_TRUE(read("").empty());
}

TEST(SentenceReader, TheWordsOfTrees) {
  EXPECT_EQ(read("\n ( (S (NP (-NONE- *)) (VB Taste)\n (PRP it)))\n(TOP (UH Yes))"),
            (std::vector<Sentence>{{{"Taste", "it"}, 2}, {{"Yes"}, 4}}));
  EXPECT_THROW(read("(TOP (UH Yes)) No"), InputError);
}

TEST(SentenceReader, TheFormatCanBeSaid) {
  SentenceOptions options;
  options.format = SentenceFormat::kTokens;
  EXPECT_EQ(read("( yes )", options), (std::vector<Sentence>{{{"-LRB-", "yes", "-RRB-"}, 1}}));
  options.format = SentenceFormat::kTrees;
  EXPECT_THROW(read("yes", options), InputError);
}

TEST(SentenceReader, LongSentencesAndOtherBytesAreRefused) {
  std::string most;
  for (int k = 0; k < 10000; ++k) most += " a";
  EXPECT_EQ(read(most).size(), 1U);
  EXPECT_THROW(read(most + " a"), InputError);
  EXPECT_THROW(read("a \xff"), InputError);
}

}  // namespace
}  // namespace trellis::grammar::sentence_reader_test
