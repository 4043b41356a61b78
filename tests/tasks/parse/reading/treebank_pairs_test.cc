#include "trellis/tasks/parse/reading/treebank_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

const std::string kDig = "1\tDig\t_\tVERB\t_\t_\t0\troot\t_\t_\n";
const std::string kHere = "2\there\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n";
const std::string kThere = "2\tthere\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n";

std::string complaint(const std::string& gold, const std::string& system) {
  TreebankPairs pairs(TreebankReader(InputFile::from_bytes(gold, "gold")),
                      TreebankReader(InputFile::from_bytes(system, "system")));
  Sentence a;
  Sentence b;
  try {
    while (pairs.read(a, b)) EXPECT_EQ(a.size(), b.size());
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(TreebankPairs, SentencesOfTheSameWordsComeTogether) {
  EXPECT_EQ(complaint(kDig + kHere + '\n' + kDig, "# c\n" + kDig + kHere + "\n\n" + kDig), "none");
}

TEST(TreebankPairs, WordsThatDifferAreRefused) {
  EXPECT_EQ(complaint(kDig + kHere, "# c\n" + kDig + kThere),
            "system:3: expected the word of gold:2, found \"there\"");
  EXPECT_EQ(complaint(kDig, kDig + kHere),
            "system:1: expected a sentence of 1 words, as in gold:1, found 2");
}

TEST(TreebankPairs, FilesOfUnequalLengthAreRefused) {
  EXPECT_EQ(complaint(kDig + '\n' + kDig, kDig),
            "system: expected as many sentences as gold has, found the end at its line 3");
  EXPECT_EQ(complaint(kDig, kDig + '\n' + kDig),
            "gold: expected as many sentences as system has, found the end at its line 3");
}

}  // namespace
}  // namespace trellis::parse
