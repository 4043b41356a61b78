// Parallel text from two files and from one, and what is wrong with it.
#include "trellis/formats/links/bitext_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/output_file.h"

namespace trellis::align::bitext_reader_test {
namespace {

using Words = std::vector<std::string>;
using Pairs = std::vector<std::pair<Words, Words>>;

Pairs pairs_of(BitextReader reader) {
  Pairs pairs;
  SentencePair pair;
  while (reader.read(pair)) {
    EXPECT_EQ(pair.line(), pairs.size() + 1);
    pairs.emplace_back(Words(pair.source().begin(), pair.source().end()),
                       Words(pair.target().begin(), pair.target().end()));
  }
  return pairs;
}

BitextReader two(std::string_view source, std::string_view target,
                 const BitextLimits& limits = {}) {
  return BitextReader(InputFile::from_bytes(source, "text.de"),
                      InputFile::from_bytes(target, "text.en"), limits);
}

BitextReader one(std::string_view text, std::optional<BitextSeparator> separator = {},
                 const BitextLimits& limits = {}) {
  return BitextReader(InputFile::from_bytes(text, "text"), separator, limits);
}

std::string complaint(BitextReader reader) {
  try {
    pairs_of(std::move(reader));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const Pairs kHouse = {{{"das", "Haus"}, {"the", "house"}}, {{"ja"}, {"yes"}}};

TEST(BitextReader, ReadsTwoFiles) {
  EXPECT_EQ(pairs_of(two("das Haus\nja\n", "the house\nyes\n")), kHouse);
  EXPECT_EQ(pairs_of(two("  das \t Haus \r\nja\r", "the  house\nyes")), kHouse);
  EXPECT_EQ(pairs_of(two("a\tb\n", "||| |||\n")), (Pairs{{{"a", "b"}, {"|||", "|||"}}}));
}

TEST(BitextReader, ReadsTabsAndBars) {
  EXPECT_EQ(pairs_of(one("das Haus\tthe house\nja\tyes\n")), kHouse);
  EXPECT_EQ(pairs_of(one("das Haus ||| the house\r\nja ||| yes\r\n")), kHouse);
  EXPECT_EQ(pairs_of(one("das Haus\t|||\tthe house\n ja ||| yes", BitextSeparator::kBars)), kHouse);
  EXPECT_EQ(pairs_of(one("a ||| b\tc\n", BitextSeparator::kTab)),
            (Pairs{{{"a", "|||", "b"}, {"c"}}}));
  // Bars that do not stand alone are letters.
  EXPECT_EQ(pairs_of(one("a|||b |||| ||| |||c\n")), (Pairs{{{"a|||b", "||||"}, {"|||c"}}}));
}

TEST(BitextReader, KeepsLinesWithoutAWord) {
  const Pairs empty_sides = {{{}, {}}, {{"a"}, {}}, {{}, {"b"}}, {{}, {}}};
  EXPECT_EQ(pairs_of(two("\na\n \n\n", " \n\nb\n\n")), empty_sides);
  EXPECT_EQ(pairs_of(one("\na\t\n\tb\n\t\n")), empty_sides);
  EXPECT_EQ(pairs_of(one("\na |||\n||| b\n|||\n")), empty_sides);
  EXPECT_EQ(pairs_of(one("\n\n")), (Pairs{{{}, {}}, {{}, {}}}));
}

TEST(BitextReader, ReadsCompressedFiles) {
  const testing::TemporaryDirectory folder;
  for (const char* name : {"text.gz", "text.zst"}) {
    OutputFile out(folder.file(name));
    out.write("das Haus\tthe house\nja\tyes\n");
    out.commit();
    EXPECT_EQ(pairs_of(BitextReader(InputFile(folder.file(name)))), kHouse);
  }
}

TEST(BitextReader, WordsSurviveAMove) {
  BitextReader reader = two("das Haus\nein sehr sehr langer zweiter Satz\n", "x\ny\n");
  SentencePair first;
  SentencePair second;
  ASSERT_TRUE(reader.read(first));
  SentencePair kept = std::move(first);
  ASSERT_TRUE(reader.read(second));
  EXPECT_EQ(kept.source()[1], "Haus");
  EXPECT_EQ(kept.target()[0], "x");
}

TEST(BitextReader, RefusesFilesOfUnequalLength) {
  EXPECT_EQ(complaint(two("a\nb\nc\n", "a\nb\n")),
            "text.en:3: expected as many lines as text.de has, found the end of the file");
  EXPECT_EQ(complaint(two("a\n", "a\n\n")),
            "text.de:2: expected as many lines as text.en has, found the end of the file");
  EXPECT_EQ(complaint(two("", "a\n")),
            "text.de:1: expected as many lines as text.en has, found the end of the file");
  EXPECT_EQ(complaint(two("", "")), "text.de: expected sentences, found an empty file");
  EXPECT_EQ(complaint(one("")), "text: expected sentences, found an empty file");
}

TEST(BitextReader, RefusesOneFileTwice) {
  const testing::TemporaryDirectory folder;
  OutputFile out(folder.file("text"));
  out.write("a b\n");
  out.commit();
  EXPECT_THROW(BitextReader(InputFile(folder.file("text")), InputFile(folder.file("text"))),
               InputError);
}

TEST(BitextReader, RefusesLinesWithoutTwoSides) {
  EXPECT_EQ(complaint(one("\na b\n")),
            "text:2: expected a tab or ' ||| ' between the two sides, found none in \"a b\"");
  EXPECT_EQ(complaint(one("a\tb\nc\n")),
            "text:2: expected a tab between the two sides, found none in \"c\"");
  EXPECT_EQ(complaint(one("a ||| b\nc\td\n")),
            "text:2: expected ' ||| ' between the two sides, found none in \"c\\x09d\"");
  EXPECT_EQ(complaint(one("a\tb\nc\td\te\n")),
            "text:2: expected one tab between the two sides, found 2");
  EXPECT_EQ(complaint(one("a ||| b ||| c |||\n")),
            "text:1: expected one ' ||| ' between the two sides, found 3");
  EXPECT_EQ(complaint(one("a ||| b\tc\n")),
            "text:1: expected a tab or ' ||| ' between the two sides, found both: choose one with "
            "--separator");
}

TEST(BitextReader, RefusesBytesThatAreNoText) {
  EXPECT_EQ(complaint(two("a\nb\n", "a\nbcd \xff\n")),
            "text.en:2: expected UTF-8, found an invalid sequence at byte 5");
  EXPECT_EQ(complaint(one("a\tb\n\xc3\tb\n")),
            "text:2: expected UTF-8, found an invalid sequence at byte 1");
}

TEST(BitextReader, RefusesWhatIsTooLong) {
  const BitextLimits limits{4, 6};
  EXPECT_EQ(pairs_of(two("a b c\n", "a b\n", limits)).size(), 1u);
  EXPECT_EQ(complaint(two("a b c\n", "a b c\n", limits)),
            "text.de:1: expected a pair of at most 6 cells, found 3 source words × 3 target words");
  EXPECT_EQ(complaint(two("a\n", "a b c d e\n", limits)),
            "text.en:1: expected a sentence of at most 4 words, found more in the target");
  EXPECT_EQ(complaint(one("x\ty\na b c d e\tb\n", {}, limits)),
            "text:2: expected a sentence of at most 4 words, found more in the source");
  std::string longest;
  for (Index i = 0; i < BitextLimits().words; ++i) longest += "a ";
  EXPECT_EQ(pairs_of(two(longest, "a"))[0].first.size(), BitextLimits().words);
  EXPECT_NE(complaint(two(longest + "a", "a")), "none");
  EXPECT_NE(complaint(two(longest, longest)), "none");
}

}  // namespace
}  // namespace trellis::align::bitext_reader_test
