#include "trellis/formats/treebank/treebank_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

// A line of ten columns: ID, FORM, HEAD and DEPREL as told, "_" else.
std::string row(const std::string& id, const std::string& form, const std::string& head,
                const std::string& label = "dep") {
  return id + '\t' + form + "\t_\t_\t_\t_\t" + head + '\t' + label + "\t_\t_";
}

std::vector<Sentence> read(const std::string& text, const TreebankOptions& options = {}) {
  return read_treebank(InputFile::from_bytes(text, "t"), options);
}

TreebankOptions asking(Heads heads) {
  TreebankOptions options;
  options.heads = heads;
  return options;
}

TreebankOptions said(TreebankFormat format) {
  TreebankOptions options;
  options.format = format;
  return options;
}

std::string complaint(const std::vector<std::string>& lines, const TreebankOptions& options = {}) {
  const std::string text = joined(lines);
  try {
    read(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TreebankFormat seen(const std::string& line) {
  return TreebankReader(InputFile::from_bytes(line, "t")).format();
}

TEST(TreebankReader, ReadsAllColumnsAndWhatPassesThrough) {
  const auto sentences = read(
      "# sent_id = 1\n"
      "# text = Don't!\n"
      "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "1\tDo\tdo\tAUX\tVB\tMood=Imp\t0\troot\t0:root\t_\n"
      "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t1\tadvmod\t1:advmod\tA=B\n"
      "2.1\tdig\tdig\tVERB\t_\t_\t_\t_\t1:conj\t_\n"
      "3\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n"
      "\n");
  ASSERT_EQ(sentences.size(), 1U);
  const Sentence& s = sentences[0];
  EXPECT_EQ(s.comments, (std::vector<std::string>{"# sent_id = 1", "# text = Don't!"}));
  ASSERT_EQ(s.size(), 3U);
  EXPECT_EQ(s.word(2),
            (Word{"n't", "not", "PART", "RB", "Polarity=Neg", 1, "advmod", "1:advmod", "A=B", 2}));
  EXPECT_EQ(s.word(3).features, "");
  EXPECT_EQ(s.word(1).head, 0U);
  ASSERT_EQ(s.multiwords.size(), 1U);
  EXPECT_EQ(s.multiwords[0], (MultiwordToken{1, 2, "Don't", "_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"}));
  ASSERT_EQ(s.empty_nodes.size(), 1U);
  EXPECT_EQ(s.empty_nodes[0], (EmptyNode{2, 1, "dig\tdig\tVERB\t_\t_\t_\t_\t1:conj\t_"}));
  EXPECT_EQ(s.line, 3U);
  EXPECT_EQ(s.line_of(3), 7U);
}

TEST(TreebankReader, BlankLinesDivideSentences) {
  const std::string word = row("1", "Hm", "0");
  EXPECT_EQ(read("").size(), 0U);
  EXPECT_EQ(read("\n \n").size(), 0U);
  EXPECT_EQ(read(word).size(), 1U);
  EXPECT_EQ(read("\n\n" + word + "\r\n\r\n\t\n" + word + "\r").size(), 2U);
}

TEST(TreebankReader, CommentsAfterTheLastSentenceAreNotLost) {
  const std::string text = row("1", "Hm", "0") + "\n\n# the end\n\n";
  TreebankReader reader(InputFile::from_bytes(text, "t"));
  Sentence sentence;
  EXPECT_TRUE(reader.read(sentence));
  EXPECT_FALSE(reader.read(sentence));
  EXPECT_EQ(sentence.comments, (std::vector<std::string>{"# the end"}));
  EXPECT_TRUE(sentence.words.empty());
}

TEST(TreebankReader, TheFirstLineTellsTheFormat) {
  using enum TreebankFormat;
  EXPECT_EQ(seen(""), kConllu);
  EXPECT_EQ(seen("\n# text = a"), kConllu);
  EXPECT_EQ(seen("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_"), kConllu);
  EXPECT_EQ(seen("1\ta\ta\tDET\tDT\t_\t2\tdet\t_\t_"), kConllu);
  EXPECT_EQ(seen("1\ta\ta\tDT\tDT\t_\t2\tdet\t2:det\t_"), kConllu);
  EXPECT_EQ(seen("1\ta\t_\t_\t_\t_\t_\t_\t_\t_"), kConllu);
  EXPECT_EQ(seen("1\ta\ta\tDT\tDT\t_\t2\tNMOD\t_\t_"), kConllx);
  EXPECT_EQ(seen("1\ta\ta\tDET\tDT\t_\t2\tNMOD\t2\tNMOD"), kConllx);
  EXPECT_EQ(seen("1\ta\ta\tDET\tDT\t_\t2\tNMOD"), kConllx);
}

TEST(TreebankReader, ConllxMayHaveSixOrEightColumns) {
  const std::string six = "1\tHm\t_\tUH\tUH\t_\n";
  TreebankReader reader(InputFile::from_bytes(six, "t"));
  EXPECT_EQ(reader.num_columns(), 6U);
  Sentence sentence;
  ASSERT_TRUE(reader.read(sentence));
  EXPECT_EQ(sentence.word(1).head, kNoHead);
  const auto eight = read("1\tHm\t_\tUH\tUH\t_\t0\tROOT\n");
  EXPECT_EQ(eight.at(0).word(1).label, "ROOT");
  EXPECT_EQ(read("# a\n" + six, said(TreebankFormat::kConllx)).at(0).size(), 1U);
}

TEST(TreebankReader, HeadsMayBeMissingWhereNoneAreAsked) {
  const std::string text = row("1", "a", "_") + '\n' + row("2", "b", "2") + '\n';
  EXPECT_EQ(read(text).at(0).word(1).head, kNoHead);
  EXPECT_EQ(read(row("1", "a", "2") + '\n' + row("2", "b", "2"), asking(Heads::kGiven)).size(), 1U);
}

TEST(TreebankReader, RefusesColumnsThatAreNotThere) {
  EXPECT_EQ(complaint({"1\ta\t_\t_\t_\t_\t0"}),
            "t:1: expected 6, 8 or 10 columns separated by tabs, found 7");
  EXPECT_EQ(complaint({"1 a _ _ _ _ 0 dep _ _"}),
            "t:1: expected 6, 8 or 10 columns separated by tabs, found 1");
  EXPECT_EQ(complaint({"# c", "1\ta\t_\t_\t_\t_\t0\tdep"}),
            "t:2: expected 10 columns separated by tabs, found 8");
  EXPECT_EQ(complaint({"1\ta\t_\tN\tN\t_\t0\tROOT", row("2", "b", "1")}),
            "t:2: expected 8 columns separated by tabs, found 10");
  EXPECT_EQ(complaint({row("1", "a", "0") + "\t_"}, said(TreebankFormat::kConllu)),
            "t:1: expected 10 columns separated by tabs, found 11");
}

TEST(TreebankReader, RefusesEmptyColumns) {
  EXPECT_EQ(complaint({row("1", "", "0")}),
            "t:1: expected a word in column 2 (FORM), found nothing");
  EXPECT_EQ(complaint({row("1", " ", "0")}),
            "t:1: expected a word in column 2 (FORM), found nothing");
  EXPECT_EQ(complaint({row("1", "a", "")}),
            "t:1: expected a value or _ in column 7 (HEAD), found nothing");
}

TEST(TreebankReader, RefusesIdsOutOfOrder) {
  EXPECT_EQ(complaint({row("2", "a", "0")}), "t:1: expected the id 1, found \"2\"");
  EXPECT_EQ(complaint({row("1", "a", "0"), row("1", "b", "1")}),
            "t:2: expected the id 2, found \"1\"");
  EXPECT_EQ(complaint({row("1", "a", "0"), row("3", "b", "1")}),
            "t:2: expected the id 2, found \"3\"");
  EXPECT_EQ(complaint({row("01", "a", "0")}), "t:1: expected the id 1, found \"01\"");
  EXPECT_EQ(complaint({row("x", "a", "0")}), "t:1: expected the id 1, found \"x\"");
  EXPECT_EQ(complaint({"1\ta\t_\tN\tN\t_\t0\tROOT", "2-3\tb\t_\tN\tN\t_\t0\tROOT"}),
            "t:2: expected the id 2 (CoNLL-X files contain only lines of words), found \"2-3\"");
}

TEST(TreebankReader, RefusesBadRanges) {
  EXPECT_EQ(complaint({row("2-3", "ab", "_"), row("1", "a", "0")}),
            "t:1: expected a multiword token that begins with the next word, 1, found \"2-3\"");
  EXPECT_EQ(complaint({row("1", "a", "0"), row("2-1", "ab", "_")}),
            "t:2: expected a multiword token whose last word is not before its first, found "
            "\"2-1\"");
  EXPECT_EQ(complaint({row("1-3", "abc", "_"), row("1", "a", "0"), row("2-3", "bc", "_")}),
            "t:3: expected a word of the multiword token of line 1, found another one: \"2-3\"");
  EXPECT_EQ(complaint({"# c", row("1-3", "abc", "_"), row("1", "a", "0"), row("2", "b", "1")}),
            "t:2: expected a multiword token within the sentence, whose last word is 2, found "
            "\"1-3\"");
  EXPECT_EQ(complaint({"# c", row("1-", "abc", "_")}), "t:2: expected the id 1, found \"1-\"");
}

TEST(TreebankReader, RefusesEmptyNodesOutOfOrder) {
  EXPECT_EQ(complaint({row("1", "a", "0"), row("1.2", "b", "_")}),
            "t:2: expected the id 2, or 1.1 for an empty node, found \"1.2\"");
  EXPECT_EQ(complaint({row("1", "a", "0"), row("2.1", "b", "_")}),
            "t:2: expected the id 2, or 1.1 for an empty node, found \"2.1\"");
  EXPECT_EQ(complaint({row("1-2", "ab", "_"), row("0.1", "b", "_")}),
            "t:2: expected the id 1, found \"0.1\"");
  EXPECT_EQ(complaint({row("0.1", "b", "_"), "", row("1", "a", "0")}),
            "t:1: expected a word in the sentence, found none");
  EXPECT_EQ(complaint({row("0.1", "a", "_"), row("0.2", "b", "_"), row("1", "a", "0"),
                       row("1.1", "c", "_")}),
            "none");
}

TEST(TreebankReader, RefusesCommentsInsideSentences) {
  EXPECT_EQ(complaint({row("1", "a", "0"), "# b"}),
            "t:2: expected a word or an empty line, found a comment: \"# b\"");
}

TEST(TreebankReader, RefusesHeadsThatAreNoWords) {
  EXPECT_EQ(complaint({row("1", "a", "0"), row("2", "b", "3"), "", row("1", "c", "0")}),
            "t:2: expected a head from 0 to 2 (the last word of the sentence), found \"3\"");
  for (const char* head : {"-1", "x", "03", "1.1", "12345678901234567890"}) {
    EXPECT_EQ(complaint({row("1", "a", head)}),
              std::string("t:1: expected a head in column 7 (the number of a word, 0 for the root, "
                          "or _), found \"") +
                  head + '"');
  }
}

TEST(TreebankReader, RefusesWordsWithoutHeadsWhereHeadsAreAsked) {
  const std::vector<std::string> lines = {"# c", row("1", "a", "0"), row("2", "pear", "_")};
  EXPECT_EQ(complaint(lines), "none");
  for (const Heads heads : {Heads::kGiven, Heads::kTree, Heads::kOneRoot}) {
    EXPECT_EQ(complaint(lines, asking(heads)),
              "t:3: expected a head in column 7, found none for \"2 pear\"");
  }
}

TEST(TreebankReader, RefusesCyclesAndNamesTheirWords) {
  const std::vector<std::string> lines = {row("1", "a", "3"), row("2", "is", "0"),
                                          row("3", "pear", "4"), row("4", "tree", "1"),
                                          row("5", "!", "1")};
  const std::string expected =
      "t:1: expected a tree, found a cycle of words and their heads: \"1 a → 3 pear → 4 tree → 1 "
      "a\"";
  EXPECT_EQ(complaint(lines, asking(Heads::kTree)), expected);
  EXPECT_EQ(complaint(lines, asking(Heads::kOneRoot)), expected);
  EXPECT_EQ(complaint(lines, asking(Heads::kGiven)), "none");
  EXPECT_EQ(complaint({row("1", "a", "2"), row("2", "b", "2")}, asking(Heads::kTree)),
            "t:2: expected a tree, found a cycle of words and their heads: \"2 b → 2 b\"");
}

TEST(TreebankReader, RefusesSeveralRootsWhereOneIsAsked) {
  const std::vector<std::string> lines = {row("1", "Dig", "0"), row("2", "and", "3"),
                                          row("3", "sow", "0")};
  EXPECT_EQ(complaint(lines, asking(Heads::kTree)), "none");
  EXPECT_EQ(complaint(lines, asking(Heads::kOneRoot)),
            "t:3: expected one word with head 0, found 2: \"1 Dig, 3 sow\"");
}

TEST(TreebankReader, RefusesBytesThatAreNoUtf8AndSentencesWithoutEnd) {
  EXPECT_EQ(complaint({row("1", "a\xFF", "0")}),
            "t:1: expected UTF-8, found an invalid sequence at byte 4");
  TreebankOptions options;
  options.max_words = 2;
  EXPECT_EQ(complaint({"", row("1", "a", "0"), row("2", "a", "1"), row("3", "a", "1")}, options),
            "t:4: expected an empty line: the sentence that begins in line 2 has more than 2 "
            "words");
}

}  // namespace
}  // namespace trellis::parse
