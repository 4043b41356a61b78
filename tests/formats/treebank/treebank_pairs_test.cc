#include "trellis/formats/treebank/treebank_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

const std::string dig = "1\tDig\t_\tVERB\t_\t_\t0\troot\t_\t_\n";
const std::string here = "2\there\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n";
const std::string there = "2\tthere\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n";

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
  EXPECT_EQ(complaint(dig + here + '\n' + dig, "# c\n" + dig + here + "\n\n" + dig), "none");
}

TEST(TreebankPairs, WordsThatDifferAreRefused) {
  EXPECT_EQ(complaint(dig + here, "# c\n" + dig + there),
            "system:3: expected the same word as at gold:2, found \"there\"");
  EXPECT_EQ(complaint(dig, dig + here),
            "system:1: expected a sentence of 1 words, as at gold:1, found 2");
}

TEST(TreebankPairs, FilesOfUnequalLengthAreRefused) {
  EXPECT_EQ(complaint(dig + '\n' + dig, dig),
            "system: expected as many sentences as in gold, found the end at its line 3");
  EXPECT_EQ(complaint(dig, dig + '\n' + dig),
            "gold: expected as many sentences as in system, found the end at its line 3");
}

}  // namespace
}  // namespace trellis::parse
