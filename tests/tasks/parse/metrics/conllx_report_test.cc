// The scripts' outputs, byte for byte. Each folder of conllx_eval/ and conll07_eval/ has the two
// files that the script was given, what it printed, and what the case is there for (command.txt).
#include "trellis/tasks/parse/metrics/conllx_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/parse/reading/treebank_pairs.h"

namespace trellis::parse {
namespace {

namespace fs = std::filesystem;

fs::path folder(const char* name) {
  return fs::path(TRELLIS_SOURCE_DIR) / "tests/golden" / name;
}

struct Call {
  bool short_output = false;      // -q
  bool sentences = false;         // -b
  bool lines_of_nothing = false;  // in the table of sentences
  Punctuation punctuation = Punctuation::kScored;
};

Call read_call(const fs::path& folder, bool of_2007) {
  const std::string text = read_file((folder / "command.txt").string());
  const std::size_t begin = text.find("command:");
  const std::string command = text.substr(begin, text.find('\n', begin) - begin) + ' ';
  const auto has = [&](const char* option) { return command.find(option) != std::string::npos; };
  Call call;
  call.short_output = has(" -q ");
  call.sentences = has(" -b ");
  call.lines_of_nothing = !of_2007;
  if (has(" -p ") == of_2007) call.punctuation = Punctuation::kLeftOut;
  return call;
}

std::string evaluate(const fs::path& folder, const Call& call) {
  const auto open = [&](const char* name) {
    TreebankOptions options;
    options.format = TreebankFormat::kConllx;
    options.heads = Heads::kGiven;
    return TreebankReader(InputFile((folder / name).string()), options);
  };
  TreebankPairs pairs(open("gold.conll"), open("system.conll"));
  AttachmentScores scores;
  Sentence gold;
  Sentence system;
  std::string out = call.sentences ? conllx_sentence_heading() : "";
  while (pairs.read(gold, system)) {
    scores.add(gold, system);
    const AttachmentCounts counts = attachment_counts(gold, system, call.punctuation);
    if (!call.sentences || (counts.words == 0 && !call.lines_of_nothing)) continue;
    out += conllx_sentence_line(scores.num_sentences(), gold.size(), counts);
  }
  if (call.sentences) out += "\n\n";
  out += conllx_summary(scores.counts(call.punctuation));
  if (!call.short_output) {
    out += conllx_tables(scores.tally(call.punctuation), "gold.conll", "system.conll");
  }
  return out;
}

TEST(ConllxReport, PrintsWhatTheScriptPrints) {
  // Heads that are no words; other words than gold has.
  const std::set<std::string> refused = {"07_multi_root_cycle_self", "13_word_pos_mismatch"};
  // Empty sentences are not numbered here, the last blank line may be missing, blanks in a FORM are
  // part of it, and a score of nothing is NaN and not the end.
  const std::set<std::string> different = {"11_double_blank_lines", "12_missing_line",
                                           "14_space_in_form", "16_only_punct"};
  int num_cases = 0;
  for (const auto& entry : fs::directory_iterator(folder("conllx_eval"))) {
    const std::string name = entry.path().filename();
    const Call call = read_call(entry.path(), false);
    ++num_cases;
    if (refused.contains(name)) {
      EXPECT_THROW(evaluate(entry.path(), call), InputError) << name;
    } else if (!different.contains(name)) {
      EXPECT_EQ(evaluate(entry.path(), call), read_file((entry.path() / "expected.txt").string()))
          << name;
    }
  }
  EXPECT_EQ(num_cases, 20);
}

TEST(ConllxReport, PrintsWhatTheScriptOf2007Prints) {
  int num_cases = 0;
  for (const auto& entry : fs::directory_iterator(folder("conll07_eval"))) {
    const Call call = read_call(entry.path(), true);
    EXPECT_EQ(evaluate(entry.path(), call), read_file((entry.path() / "expected.txt").string()))
        << entry.path();
    ++num_cases;
  }
  EXPECT_EQ(num_cases, 7);
}

TEST(ConllxReport, EmptySentencesChangeNumbersOnly) {
  const fs::path blank_lines = folder("conllx_eval") / "11_double_blank_lines";
  Call call = read_call(blank_lines, false);
  call.sentences = false;
  const std::string expected = read_file((blank_lines / "expected.txt").string());
  EXPECT_TRUE(expected.ends_with("\n\n\n" + evaluate(blank_lines, call)));
}

TEST(ConllxReport, ScoresOfNothingAreNotANumber) {
  EXPECT_EQ(conllx_summary({}),
            "  Labeled   attachment score: 0 / 0 * 100 = NaN %\n"
            "  Unlabeled attachment score: 0 / 0 * 100 = NaN %\n"
            "  Label accuracy score:       0 / 0 * 100 = NaN %\n");
}

}  // namespace
}  // namespace trellis::parse
