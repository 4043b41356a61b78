// Links in each format, and what is wrong with them.
#include "trellis/formats/links/link_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::align::link_reader_test {
namespace {

using Gold = std::vector<GoldLinks>;
using Lengths = std::vector<PairLengths>;

Gold links_of(std::string_view text, const Lengths& lengths = {},
              const LinkReadingOptions& options = {}) {
  return read_links(InputFile::from_bytes(text, "links"), lengths, options);
}

std::string complaint(std::string_view text, const Lengths& lengths = {},
                      const LinkReadingOptions& options = {}) {
  try {
    links_of(text, lengths, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

LinkReadingOptions format(LinksFormat format) {
  LinkReadingOptions options;
  options.format = format;
  return options;
}

GoldLinks sure(const Links& links) {
  return {links, links, {}};
}

TEST(LinkReader, ReadsPharaoh) {
  EXPECT_EQ(links_of("1-2 0-0\n\n  3-4\t\r\n"), (Gold{sure({{0, 0}, {1, 2}}), {}, sure({{3, 4}})}));
  EXPECT_EQ(links_of("0-0 1?1 2-2-P 3-3-S\n"),
            (Gold{{{{0, 0}, {3, 3}}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, {}}}));
  EXPECT_EQ(links_of("0-0:0.9312 1?1:0 2-2-P:1e-3 3-3\n"),
            (Gold{{{{0, 0}, {3, 3}}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, {0.9312, 0, 0.001, 1}}}));
  EXPECT_EQ(links_of("\n\n"), Gold(2));
  EXPECT_EQ(links_of("\n\n0-1\n"), (Gold{{}, {}, sure({{0, 1}})}));
}

TEST(LinkReader, ReadsNaacl) {
  EXPECT_EQ(
      links_of("0003 2 1\n1 1 1 S\n1 2 2 P\n\n 3\t1 1 S 0.5\n3 4 4 0.25 P\n3 5 5 1\n"),
      (Gold{{{{0, 0}}, {{0, 0}, {1, 1}}, {}},
            {},
            {{{0, 0}, {1, 0}, {4, 4}}, {{0, 0}, {1, 0}, {3, 3}, {4, 4}}, {0.5, 1, 0.25, 1}}}));
  EXPECT_EQ(links_of("1 1 1\n", {{1, 1}, {5, 5}}), (Gold{sure({{0, 0}}), {}}));
  EXPECT_EQ(links_of("", {{1, 1}}, format(LinksFormat::kNaacl)), Gold(1));
}

TEST(LinkReader, ReadsGiza) {
  const std::string_view text =
      "# Sentence pair (1) source length 2 target length 3 alignment score : 3.6e-24\n"
      "das ist gut \n"
      "NULL ({ 3 }) that ({ 1 }) 's ({ 1 2 }) \n"
      "# Sentence pair (2) source length 1 target length 0 alignment score : 1\n"
      "\n"
      "NULL ({ }) ({ ({ })\n\n";
  EXPECT_EQ(links_of(text), (Gold{sure({{0, 0}, {1, 0}, {1, 1}}), {}}));
  EXPECT_EQ(links_of(text, {{2, 3}, {1, 0}}), links_of(text));
  LinkReadingOptions options;
  options.swap = true;
  EXPECT_EQ(links_of(text, {{3, 2}, {0, 1}}, options), (Gold{sure({{0, 0}, {0, 1}, {1, 1}}), {}}));
}

TEST(LinkReader, CountsALinkOnce) {
  EXPECT_EQ(links_of("1-1 0?0:0.25 1-1-P 0-0:0.5\n"),
            (Gold{{{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {0.5, 1}}}));
}

TEST(LinkReader, SwapsSides) {
  LinkReadingOptions options;
  options.swap = true;
  EXPECT_EQ(links_of("0-3 1-2-P\n", {{4, 2}}, options), (Gold{{{{3, 0}}, {{2, 1}, {3, 0}}, {}}}));
  EXPECT_EQ(
      complaint("0-3\n", {{3, 2}}, options),
      "links:1: expected a source word from 0 to 2, since the sentence has 3 words, found \"0-3\"");
}

TEST(LinkReader, LeavesOutLinksToTheEmptyWord) {
  EXPECT_EQ(links_of("1 0 1\n1 1 1\n1 2 0 P\n", {{2, 1}}), (Gold{sure({{0, 0}})}));
  EXPECT_EQ(links_of("# Sentence pair (1) source length 1 target length 2 alignment score : 1\n"
                     "a b\nNULL ({ 2 }) x ({ 1 })\n"),
            (Gold{sure({{0, 0}})}));
}

TEST(LinkReader, RefusesLinksOfWordsThatThereAreNot) {
  EXPECT_EQ(complaint("0-0\n1-10\n", {{1, 1}, {2, 10}}),
            "links:2: expected a target word from 0 to 9, since the sentence has 10 words, found "
            "\"1-10\"");
  EXPECT_EQ(
      complaint("2-0\n", {{2, 1}}),
      "links:1: expected a source word from 0 to 1, since the sentence has 2 words, found \"2-0\"");
  EXPECT_EQ(complaint("0-0\n", {{2, 0}}),
            "links:1: expected no link, since the target sentence is empty, found \"0-0\"");
  EXPECT_EQ(complaint("1 1 1\n1 3 1 S\n", {{2, 2}}),
            "links:2: expected a source word from 1 to 2, since the sentence has 2 words, found "
            "\"1 3 1 S\"");
}

TEST(LinkReader, RefusesSentencesThatThereAreNot) {
  EXPECT_EQ(complaint("1 1 1\n3 1 1\n", {{1, 1}, {1, 1}}),
            "links:2: expected a sentence from 1 to 2, found \"3\"");
  EXPECT_EQ(complaint("0 1 1\n", {{1, 1}}),
            "links:1: expected a sentence from 1 to 1, found \"0\"");
  EXPECT_EQ(
      complaint("4000000000 1 1\n"),
      "links:1: expected links as 0-0 (Pharaoh), 1 1 1 (NAACL) or # Sentence pair … (GIZA++), "
      "found \"4000000000 1 1\"");
  EXPECT_EQ(complaint("1 1 1\n2000000 1 1\n"),
            "links:2: expected a sentence from 1 to 1048576, found \"2000000\"");
  EXPECT_EQ(complaint("0-0\n\n0-0\n", {{1, 1}, {1, 1}}),
            "links:3: expected links of 2 sentence pairs, found more");
  EXPECT_EQ(complaint("0-0\n", {{1, 1}, {1, 1}}),
            "links:1: expected links of 2 sentence pairs, found only 1");
  EXPECT_EQ(complaint(""), "links: expected links, found an empty file");
}

TEST(LinkReader, RefusesTextThatIsNoLink) {
  for (const char* text : {"0-", "-0", "0-0-X", "0?0-P", "0--1", "0-0-", "0-0:", "0-0:2", "0-0:-1",
                           "0-0:nan", "0-0-0.9", "+0-0", "0-0x", "9999999999-0", "a"}) {
    EXPECT_EQ(complaint("1-1 " + std::string(text) + "\n"),
              "links:1: expected links as 0-0, 0?0 or 0-0-P, found \"" + std::string(text) + "\"");
  }
  for (const char* text : {"1 1", "1 1 x", "1 1 1 X", "1 1 1 S P", "1 1 1 0.5 0.5", "1 1 1 S 2",
                           "1 1 1 S 1 1", "1 -1 1"}) {
    EXPECT_EQ(complaint(text),
              "links:1: expected 'sentence source target [S|P] [confidence]', found \"" +
                  std::string(text) + "\"");
  }
  EXPECT_EQ(complaint("das Haus\n").substr(0, 31), "links:1: expected links as 0-0 ");
}

TEST(LinkReader, RefusesGizaThatDoesNotFitTogether) {
  const std::string comment =
      "# Sentence pair (1) source length 1 target length 2 alignment score : 1\n";
  EXPECT_EQ(complaint("# Sentence pair 1\n"),
            "links:1: expected '# Sentence pair (1) source length 2 target length 3 …', found \"# "
            "Sentence pair 1\"");
  EXPECT_EQ(complaint(comment + "a\n"),
            "links:2: expected 2 target words, as declared in the first line of the pair, found 1");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x ({ }) y ({ })\n"),
            "links:3: expected 1 source words, as declared in the first line of the pair, found 2");
  EXPECT_EQ(complaint(comment + "a b\nx ({ })\n"), "links:3: expected NULL first, found \"x\"");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x ({ 3 })\n"),
            "links:3: expected a target word from 1 to 2, found \"3\"");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x\n"),
            "links:3: expected '({' after the word \"x\"");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x ({ 1\n"),
            "links:3: expected '})' after the links of \"x\"");
  EXPECT_EQ(complaint(comment + "a b\n\n"),
            "links:3: expected NULL and the source words, found none");
  EXPECT_EQ(
      complaint(comment + "a b\n"),
      "links:2: expected three lines for each sentence pair, the file ends within those of pair "
      "1");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x ({ })\n" + comment),
            "links:4: expected sentence pair 2 to follow pair 1, found 1");
  EXPECT_EQ(complaint(comment + "a b\nNULL ({ }) x ({ })\n", {{2, 2}}),
            "links:1: expected 2 source and 2 target words as in the text, found 1 and 2");
}

}  // namespace
}  // namespace trellis::align::link_reader_test
