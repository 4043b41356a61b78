// The script's outputs, byte for byte. Each folder of conll18_ud_eval/ has the two files that it
// was given, what it printed, and what the case is there for (command.txt). Where it printed
// nothing, it refused the input.
#include "trellis/scorers/ud_score.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

namespace fs = std::filesystem;

UdScore score(const std::string& gold, const std::string& system) {
  return ud_score(InputFile::from_bytes(gold, "gold"), InputFile::from_bytes(system, "system"));
}

TEST(UdScore, PrintsWhatTheScriptPrints) {
  // Correct CoNLL-U, or nearly, that the script stops at.
  const std::set<std::string> accepted = {"20_error_no_final_blank_line",
                                          "21_error_empty_node_inside_mwt",
                                          "31_error_double_blank_line"};
  int num_cases = 0;
  const fs::path cases = fs::path(TRELLIS_SOURCE_DIR) / "tests/golden/conll18_ud_eval";
  for (const auto& entry : fs::directory_iterator(cases)) {
    const std::string name = entry.path().filename();
    const auto file = [&](const char* of) { return (entry.path() / of).string(); };
    const auto evaluate = [&] {
      return ud_score(InputFile(file("gold.conllu")), InputFile(file("system.conllu")));
    };
    const std::string expected = read_file(file("expected.txt"));
    const std::string command = read_file(file("command.txt"));
    const auto has = [&](const char* option) { return command.find(option) != std::string::npos; };
    ++num_cases;
    if (accepted.contains(name)) {
      EXPECT_NO_THROW(evaluate()) << name;
    } else if (expected.empty()) {
      EXPECT_THROW(evaluate(), InputError) << name;
    } else if (has(" -v ")) {
      EXPECT_EQ(evaluate().table(), expected) << name;
    } else if (has(" -c ")) {
      EXPECT_EQ(evaluate().count_table(), expected) << name;
    } else {
      EXPECT_EQ(evaluate().official(), expected) << name;
    }
  }
  EXPECT_EQ(num_cases, 32);
}

TEST(UdScore, NamesTheLinesWhereTextsPart) {
  const std::string first = "1\tIt\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
  try {
    score(first + "1\trains\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
          first + "# text\n1\trained\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "system:4: expected the text of gold:3, which goes on otherwise, found \"ed\"");
  }
}

TEST(UdScore, SentencesInMemoryScoreAsFilesDo) {
  Sentence gold;
  gold.words.resize(2);
  gold.words[0].form = "It";
  gold.words[0].head = 2;
  gold.words[0].label = "nsubj";
  gold.words[1].form = "rains";
  gold.words[1].head = 0;
  gold.words[1].label = "root";
  Sentence system = gold;
  system.words[0].label = "expl";
  UdTreebank a("gold");
  UdTreebank b("system");
  a.add(gold);
  b.add(system);
  const UdScore found = ud_score(a, b);
  EXPECT_EQ(found[UdMeasure::kUas].f1(), 1);
  EXPECT_EQ(found[UdMeasure::kLas].f1(), 0.5);
  EXPECT_EQ(found[UdMeasure::kLas].aligned, 2U);
}

}  // namespace
}  // namespace trellis::parse
