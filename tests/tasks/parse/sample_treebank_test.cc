// The treebank in data/garden is what its README says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/formats/treebank/treebank_writer.h"
#include "trellis/scorers/ud_score.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"

namespace trellis::parse {
namespace {

std::string path(const std::string& part) {
  return std::string(TRELLIS_SOURCE_DIR) + "/data/garden/" + part + ".conllu";
}

std::vector<Sentence> read(const std::string& part) {
  TreebankOptions options;
  options.heads = Heads::kOneRoot;
  return read_treebank(InputFile(path(part)), options);
}

bool has_crossing_arcs(const Sentence& sentence) {
  struct Arc {
    std::uint32_t left, right;
  };
  std::vector<Arc> arcs;
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    const std::uint32_t head = sentence.word(m).head;
    arcs.push_back({std::min(m, head), std::max(m, head)});
  }
  for (const Arc& a : arcs) {
    for (const Arc& b : arcs) {
      if (a.left < b.left && b.left < a.right && a.right < b.right) return true;
    }
  }
  return false;
}

struct Numbers {
  Index sentences = 0, words = 0, scored = 0, crossing = 0, multiwords = 0, empty_nodes = 0;
  bool operator==(const Numbers&) const = default;
};

Numbers numbers(const std::vector<Sentence>& sentences) {
  Numbers out;
  out.sentences = sentences.size();
  for (const Sentence& sentence : sentences) {
    out.words += sentence.size();
    out.scored += attachment_counts(sentence, sentence, Punctuation::kLeftOut).words;
    out.crossing += has_crossing_arcs(sentence) ? 1 : 0;
    out.multiwords += sentence.multiwords.size();
    out.empty_nodes += sentence.empty_nodes.size();
  }
  return out;
}

TEST(SampleTreebank, HasTheNumbersOfItsReadme) {
  EXPECT_EQ(numbers(read("train")), (Numbers{110, 927, 794, 10, 8, 1}));
  EXPECT_EQ(numbers(read("dev")), (Numbers{20, 165, 143, 2, 1, 0}));
  EXPECT_EQ(numbers(read("test")), (Numbers{20, 173, 147, 2, 1, 1}));
}

TEST(SampleTreebank, IsWrittenAsItWasRead) {
  for (const char* part : {"train", "dev", "test"}) {
    std::string out;
    const TreebankWriter writer(TreebankFormat::kConllu);
    for (const Sentence& sentence : read(part)) writer.append(sentence, out);
    EXPECT_EQ(out, read_file(path(part)));
  }
}

TEST(SampleTreebank, LabelsOfDevAndTestAreThoseOfTrain) {
  std::set<std::string> known;
  for (const Sentence& sentence : read("train")) {
    for (const Word& word : sentence.words) known.insert(word.label);
  }
  for (const char* part : {"dev", "test"}) {
    for (const Sentence& sentence : read(part)) {
      for (const Word& word : sentence.words) EXPECT_TRUE(known.contains(word.label)) << word.label;
    }
  }
}

TEST(SampleTreebank, ScoresFullMarksAgainstItself) {
  const UdScore score = ud_score(InputFile(path("test")), InputFile(path("test")));
  for (Index i = 0; i < kUdMeasures; ++i) EXPECT_EQ(score.measures[i].f1(), 1);
}

}  // namespace
}  // namespace trellis::parse
