#include "trellis/formats/brackets/bracket_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "trellis/formats/brackets/bracket_reader.h"

namespace trellis::grammar::bracket_writer_test {
namespace {

const char* const kIndented =
    "(TOP\n"
    "  (S\n"
    "    (NP\n"
    "      (NP (DT The) (JJ old) (NN cook))\n"
    "      (PP (IN from)\n"
    "        (NP (NNP Lyon))))\n"
    "    (VP (VBZ salts)\n"
    "      (NP (PRP it))\n"
    "      (RB now)\n"
    "      (RB again))\n"
    "    (. .)))\n";

ConstituencyTree tree_of(const std::string& text) {
  return read_trees(InputFile::from_bytes(text, "t")).at(0);
}

TEST(BracketWriter, WritesATreeOverLinesAsTreebanksDo) {
  std::string out;
  append_indented_brackets(tree_of(kIndented), out);
  EXPECT_EQ(out, kIndented);
}

TEST(BracketWriter, WritesATreeOnOneLine) {
  std::string out;
  append_brackets(tree_of(kIndented), out);
  EXPECT_EQ(out,
            "(TOP (S (NP (NP (DT The) (JJ old) (NN cook)) (PP (IN from) (NP (NNP Lyon)))) "
            "(VP (VBZ salts) (NP (PRP it)) (RB now) (RB again)) (. .)))");
  EXPECT_EQ(tree_of(out), tree_of(kIndented));
}

TEST(BracketWriter, EscapesBracketsInWords) {
  ConstituencyTree tree;
  const Index top = tree.open("TOP");
  tree.add_word("-LRB-", "(");
  tree.add_word("NN", ":-)");
  tree.close(top);
  std::string out;
  append_brackets(tree, out);
  EXPECT_EQ(out, "(TOP (-LRB- -LRB-) (NN :--RRB-))");
}

}  // namespace
}  // namespace trellis::grammar::bracket_writer_test
