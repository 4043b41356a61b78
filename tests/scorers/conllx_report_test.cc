// The scripts' outputs, byte for byte. Each folder of conllx_eval/ and conll07_eval/ in
// tests/golden has the two files that the script was given, what it printed, and what the case is
// there for (command.txt).
#include "trellis/scorers/conllx_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/treebank/treebank_pairs.h"
#include "trellis/scorers/conllx_script.h"

namespace trellis::parse {
namespace {

namespace fs = std::filesystem;

ConllScriptOptions read_call(const fs::path& folder, ConllScript script) {
  const std::string text = read_file((folder / "command.txt").string());
  const std::size_t begin = text.find("command:");
  const std::string command = text.substr(begin, text.find('\n', begin) - begin) + ' ';
  const auto has = [&](const char* option) { return command.find(option) != std::string::npos; };
  ConllScriptOptions options;
  options.script = script;
  const bool other = has(" -p ");
  const bool scored = (standard_punctuation(script) == Punctuation::kScored) != other;
  options.punctuation = scored ? Punctuation::kScored : Punctuation::kLeftOut;
  options.derivations = !has(" -d ");
  options.sentences = has(" -b ");
  options.tables = !has(" -q ");
  return options;
}

std::string evaluate(const fs::path& folder, const ConllScriptOptions& options) {
  const std::string gold = read_file((folder / "gold.conll").string());
  const std::string system = read_file((folder / "system.conll").string());
  return conll_script(InputFile::from_bytes(gold, "gold.conll"),
                      InputFile::from_bytes(system, "system.conll"), options);
}

// The cases of a folder but for those in which another version of the script was run.
void check_cases(const char* name, ConllScript script, const std::set<std::string>& other,
                 int expected_cases) {
  int num_cases = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TRELLIS_SOURCE_DIR) / "tests/golden" / name)) {
    ++num_cases;
    if (other.contains(entry.path().filename())) continue;
    const ConllScriptOptions options = read_call(entry.path(), script);
    const std::string expected = read_file((entry.path() / "expected.txt").string());
    if (expected.empty()) {
      EXPECT_THROW(evaluate(entry.path(), options), InputError) << entry.path();
    } else {
      EXPECT_EQ(evaluate(entry.path(), options), expected) << entry.path();
    }
  }
  EXPECT_EQ(num_cases, expected_cases);
}

TEST(ConllxReport, PrintsWhatTheScriptPrints) {
  // A copy of the script that goes on where words differ.
  check_cases("conllx_eval", ConllScript::kConllx, {"13_word_pos_mismatch"}, 20);
}

TEST(ConllxReport, PrintsWhatTheScriptOf2007Prints) {
  // Version 1.2, which stops where words differ.
  check_cases("conll07_eval", ConllScript::kConll07, {"08_word_pos_mismatch_v12"}, 11);
}

// Read as treebanks, which refuse more, files score as the script scores them.
TEST(ConllxReport, TreebanksScoreAsTheirLines) {
  const fs::path folder = fs::path(TRELLIS_SOURCE_DIR) / "tests/golden/conllx_eval/17_random";
  const auto open = [&](const char* name) {
    TreebankOptions options;
    options.format = TreebankFormat::kConllx;
    options.heads = Heads::kGiven;
    return TreebankReader(InputFile((folder / name).string()), options);
  };
  const ConllScriptOptions options = read_call(folder, ConllScript::kConllx);
  TreebankPairs pairs(open("gold.conll"), open("system.conll"));
  ConllScriptScores scores(options);
  for (Sentence gold, system; pairs.read(gold, system);) scores.add(gold.words, system.words);
  EXPECT_EQ(scores.text("gold.conll", "system.conll"), evaluate(folder, options));
}

TEST(ConllxReport, ScoresOfNothingAreNotANumber) {
  EXPECT_EQ(conllx_summary({}),
            "  Labeled   attachment score: 0 / 0 * 100 = NaN %\n"
            "  Unlabeled attachment score: 0 / 0 * 100 = NaN %\n"
            "  Label accuracy score:       0 / 0 * 100 = NaN %\n");
}

}  // namespace
}  // namespace trellis::parse
