#include "trellis/formats/brackets/bracket_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/brackets/bracket_writer.h"

namespace trellis::grammar::bracket_reader_test {
namespace {

std::vector<ConstituencyTree> read(const std::string& text) {
  return read_trees(InputFile::from_bytes(text, "t"));
}

// The trees as they come out, a line each.
std::string seen(const std::string& text) {
  std::string out;
  for (const ConstituencyTree& tree : read(text)) {
    append_brackets(tree, out);
    out += '\n';
  }
  return out;
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(BracketReader, NodesAreInPreorderWithTheirSpans) {
  const auto trees = read("(TOP (S (NP (DT The) (NN soup)) (VP (VBZ boils)) (. .)))\n");
  ASSERT_EQ(trees.size(), 1U);
  const std::vector<ConstituencyTree::Node> nodes = {
      {"TOP", "", 8, 0, 4},      {"S", "", 8, 0, 4},      {"NP", "", 5, 0, 2},
      {"DT", "The", 4, 0, 1},    {"NN", "soup", 5, 1, 2}, {"VP", "", 7, 2, 3},
      {"VBZ", "boils", 7, 2, 3}, {".", ".", 8, 3, 4}};
  EXPECT_EQ(trees[0].nodes, nodes);
  EXPECT_EQ(trees[0].words(), (std::vector<std::string>{"The", "soup", "boils", "."}));
  EXPECT_EQ(trees[0].tags(), (std::vector<std::string>{"DT", "NN", "VBZ", "."}));
  EXPECT_EQ(trees[0].num_words(), 4U);
}

TEST(BracketReader, WhiteSpaceIsFree) {
  const std::string tree = "(TOP (S (NN a) (NN b)))";
  const auto trees = read("\n(TOP(S\n  (NN a)\t(NN\n\nb)\r\n) )" + tree + tree +
                          "\n\n ( TOP\n( S ( NN a )(NN b)))");
  ASSERT_EQ(trees.size(), 4U);
  for (const ConstituencyTree& one : trees) EXPECT_EQ(one, read(tree)[0]);
  EXPECT_EQ(trees[0].line, 2U);
  EXPECT_EQ(trees[2].line, 6U);
  EXPECT_EQ(trees[3].line, 8U);
  EXPECT_EQ(seen(" \n\t\n"), "");
}

TEST(BracketReader, EveryRootIsCalledTop) {
  for (const char* root : {"( ", "(", "(TOP ", "(ROOT ", "(S1 ", "(TOP-1 "}) {
    EXPECT_EQ(seen(std::string(root) + "(S (NN a)))"), "(TOP (S (NN a)))\n") << root;
  }
  EXPECT_EQ(seen("(S (NN a))"), "(TOP (S (NN a)))\n");
  EXPECT_EQ(seen("(NN a)"), "(TOP (NN a))\n");
  EXPECT_EQ(seen("((NN a) (NN b))"), "(TOP (NN a) (NN b))\n");
}

TEST(BracketReader, TracesAreDroppedWithTheBracketsThatTheyLeaveEmpty) {
  const std::string text =
      "(S (WHNP-1 (WP What)) (SQ (NP-SBJ (-NONE- *)) (VP (VB eat) (NP (NP (-NONE- *T*-1))))) (. "
      "?))";
  EXPECT_EQ(seen(text), "(TOP (S (WHNP (WP What)) (SQ (VP (VB eat))) (. ?)))\n");
}

TEST(BracketReader, TreesOfNothingButTracesArePassedOverAndCounted) {
  const std::string text = "(TOP (S (-NONE- *)))\n(S (NP (-NONE- 0)))\n(-NONE- *)\n(TOP (UH yes))";
  BracketReader reader(InputFile::from_bytes(text, "t"));
  ConstituencyTree tree;
  ASSERT_TRUE(reader.read(tree));
  EXPECT_EQ(tree.line, 4U);
  EXPECT_EQ(tree.num_words(), 1U);
  EXPECT_FALSE(reader.read(tree));
  EXPECT_EQ(reader.num_only_traces(), 3U);
}

TEST(BracketReader, FunctionTagsAreCutUnlessTheLabelBeginsWithTheMark) {
  const std::string text =
      "(TOP (S-IMP=2 (NP-SBJ-1 (-LRB- -LRB-) (NN-X a=b) (-RRB- -RRB-)) (NP=3 (PRP$ my) (= x-y))))";
  EXPECT_EQ(seen(text),
            "(TOP (S (NP (-LRB- -LRB-) (NN a=b) (-RRB- -RRB-)) (NP (PRP$ my) (= x-y))))\n");
}

TEST(BracketReader, BracketsThatAreNotClosedAreToldWithTheirLines) {
  EXPECT_EQ(complaint("(TOP (NN a))\n(TOP (S (NN b))\n\n"),
            "t:2: expected a closing bracket for each opening bracket, but the file ends inside "
            "this tree; the innermost open bracket, in line 2, is \"(TOP\"");
  EXPECT_EQ(complaint("(TOP\n (S\n  (NP (NN b)"),
            "t:1: expected a closing bracket for each opening bracket, but the file ends inside "
            "this tree; the innermost open bracket, in line 3, is \"(NP\"");
  // The next tree tells it before the file ends.
  EXPECT_EQ(complaint("(TOP (NN a))\n(TOP (S (NN b))\n(TOP (NN c))\n"),
            "t:3: expected no root inside another tree, found \"(TOP\"; is a closing bracket "
            "missing in the tree that begins in line 2?");
  EXPECT_EQ(
      complaint("( (S (NN b))\n( (S (NN c)))\n"),
      "t:2: expected a label after the bracket; is a closing bracket missing in the tree that "
      "begins in line 1?");
}

TEST(BracketReader, BracketsThatWereNeverOpenedAreRefused) {
  EXPECT_EQ(complaint("(TOP (NN a))\n(TOP (NN a)))\n"),
            "t:2: expected an opening bracket, found a closing bracket too many");
}

TEST(BracketReader, WhatIsNoTreeIsRefused) {
  EXPECT_EQ(complaint("()"), "t:1: expected a label, found an empty bracket");
  EXPECT_EQ(complaint("\n(())"), "t:2: expected a label, found an empty bracket");
  EXPECT_EQ(complaint("(TOP (S (NP) (NN a)))"),
            "t:1: expected a tag and its word, or brackets, in the bracket of \"(NP\"");
  EXPECT_EQ(complaint("(dog)"),
            "t:1: expected a tag and its word, or brackets, in the bracket of \"(dog\"");
  EXPECT_EQ(complaint("(TOP dog)"), "t:1: expected a tag for the word \"dog\"");
  EXPECT_EQ(
      complaint("(TOP (NP the dog))"),
      "t:1: expected only one word in the bracket of \"(NP the\", found another word: \"dog\"");
  EXPECT_EQ(complaint("(TOP (NP the (NN dog)))"),
            "t:1: expected a closing bracket after the word \"the\"");
  EXPECT_EQ(complaint("(TOP (NP (DT the)\n dog))"),
            "t:2: expected a bracket with a tag and its word, next to the other brackets of "
            "\"(NP\", found the word \"dog\"");
  EXPECT_EQ(complaint("(TOP (NN a)) b (TOP (NN c))"),
            "t:1: expected an opening bracket, found \"b\"");
  EXPECT_EQ(complaint("(TOP (NN a\xff))"),
            "t:1: expected UTF-8, found an invalid sequence at byte 11");
}

TEST(BracketReader, DepthAndWordsAreBounded) {
  std::string deep;
  for (int k = 0; k < 1000000; ++k) deep += "(S ";
  EXPECT_EQ(complaint(deep), "t:1: expected at most 1000 nested brackets");
  std::string nested;
  for (int k = 0; k < 998; ++k) nested += "(S ";
  EXPECT_EQ(complaint("(TOP " + nested + "(NN a" + std::string(1000, ')')), "none");
  std::string wide = "(NN a)\n(S\n";
  for (int k = 0; k < 10000; ++k) wide += "(NN a)";
  EXPECT_EQ(complaint(wide + ")"), "none");
  EXPECT_EQ(complaint(wide + "(NN b))"),
            "t:2: expected a tree of at most 10000 words; does it lack a closing bracket?");
}

// As data/README.md tells it.
TEST(BracketReader, ReadsTheSampleTreebank) {
  struct Part {
    const char* name;
    Index trees, words, brackets;
  };
  for (const Part& part :
       {Part{"train", 90, 680, 549}, Part{"dev", 15, 110, 95}, Part{"test", 15, 112, 93}}) {
    const std::string path = TRELLIS_SOURCE_DIR "/data/kitchen/" + std::string(part.name) + ".mrg";
    const auto trees = read_trees(InputFile(path));
    Index words = 0;
    Index brackets = 0;
    for (const ConstituencyTree& tree : trees) {
      words += tree.num_words();
      brackets += tree.nodes.size() - tree.num_words() - 1;
    }
    EXPECT_EQ(trees.size(), part.trees);
    EXPECT_EQ(words, part.words);
    EXPECT_EQ(brackets, part.brackets);
  }
}

}  // namespace
}  // namespace trellis::grammar::bracket_reader_test
