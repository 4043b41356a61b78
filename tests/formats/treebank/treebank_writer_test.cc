#include "trellis/formats/treebank/treebank_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "trellis/formats/treebank/treebank_reader.h"

namespace trellis::parse {
namespace {

std::string rewritten(const std::string& text, const TreebankOptions& options = {}) {
  TreebankReader reader(InputFile::from_bytes(text, "t"), options);
  const TreebankWriter writer(reader.format(), reader.num_columns());
  std::string out;
  for (Sentence sentence; reader.read(sentence);) writer.append(sentence, out);
  return out;
}

TEST(TreebankWriter, WhatWasReadIsWrittenAsItStood) {
  const std::string text =
      "# newdoc\n"
      "# text = Don't!\n"
      "0.1\tyou\tyou\tPRON\t_\t_\t_\t_\t1:nsubj\t_\n"
      "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
      "1\tDo\tdo\tAUX\tVB\tMood=Imp\t0\troot\t0:root\t_\n"
      "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t1\tadvmod\t1:advmod\tA=B\n"
      "2.1\tdig\tdig\tVERB\t_\t_\t_\t_\t1:conj\t_\n"
      "2.2\tit\tit\tPRON\t_\t_\t_\t_\t2.1:obj\t_\n"
      "3-3\t!\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "3\t!\t!\tPUNCT\t.\t_\t_\t_\t_\t_\n"
      "\n"
      "1\t_\t_\tSYM\t_\t_\t0\troot\t_\t_\n"
      "\n";
  EXPECT_EQ(rewritten(text), text);
}

TEST(TreebankWriter, ConllxKeepsItsColumnsAndGetsAPlaceForHeads) {
  const std::string ten = "1\tHm\thm\tUH\tUH\t_\t0\tROOT\t0\tROOT\n\n";
  EXPECT_EQ(rewritten(ten), ten);
  const std::string eight = "1\tHm\thm\tUH\tUH\ta|b\t0\tROOT\n\n";
  EXPECT_EQ(rewritten(eight), eight);
  EXPECT_EQ(rewritten("1\tHm\thm\tUH\tUH\t_\n"), "1\tHm\thm\tUH\tUH\t_\t_\t_\n\n");
}

TEST(TreebankWriter, HeadsAndLabelsAreTheSentences) {
  auto sentences = read_treebank(InputFile::from_bytes("1\ta\t_\tX\t_\t_\t_\t_\t_\tkept\n", "t"));
  sentences.at(0).words[0].head = 0;
  sentences.at(0).words[0].label = "root";
  std::string out;
  TreebankWriter(TreebankFormat::kConllu).append(sentences[0], out);
  EXPECT_EQ(out, "1\ta\t_\tX\t_\t_\t0\troot\t_\tkept\n\n");
}

RC_GTEST_PROP(TreebankWriter, AnySentenceIsReadBack, ()) {
  const auto text = [] {
    return *rc::gen::element<std::string>("", "a", "pear tree", "é", "#", "1-2", "a=b|c");
  };
  const auto filled = [&] {
    const std::string any = text();
    return any.empty() ? std::string("_") : any;
  };
  Sentence sentence;
  const auto n = *rc::gen::inRange<std::uint32_t>(1, 8);
  sentence.comments.emplace_back("# text");
  std::uint32_t last = 0;
  std::uint32_t line = 0;
  for (std::uint32_t m = 0; m <= n; ++m) {
    if (m > 0) {
      Word word{filled(), text(), text(), text(), text(), kNoHead, text(), text(), text(), line++};
      if (*rc::gen::arbitrary<bool>()) word.head = *rc::gen::inRange<std::uint32_t>(0, n + 1);
      sentence.words.push_back(word);
    }
    const auto nodes = *rc::gen::inRange<std::uint32_t>(0, 3);
    for (std::uint32_t i = 1; i <= nodes; ++i, ++line) {
      sentence.empty_nodes.push_back({m, i, "x\t_\t_\t_\t_\t_\t_\t_\t_"});
    }
    if (m >= last && m < n && *rc::gen::arbitrary<bool>()) {
      last = *rc::gen::inRange<std::uint32_t>(m + 1, n + 1);
      sentence.multiwords.push_back({m + 1, last, filled(), "_\t_\t_\t_\t_\t_\t_\tx"});
      ++line;
    }
  }
  std::string out;
  TreebankWriter(TreebankFormat::kConllu).append(sentence, out);
  sentence.line = 2;
  RC_ASSERT(read_treebank(InputFile::from_bytes(out, "t")) == std::vector<Sentence>{sentence});
}

}  // namespace
}  // namespace trellis::parse
