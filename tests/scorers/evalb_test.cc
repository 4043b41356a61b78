// EVALB's output, byte for byte. Each folder of evalb/ has the two files that it was given, its
// parameters, what it printed, and what the case is there for (command.txt).
#include "trellis/scorers/evalb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/formats/brackets/bracket_reader.h"
#include "trellis/formats/brackets/bracket_writer.h"

namespace trellis::grammar::evalb_test {
namespace {

namespace fs = std::filesystem;

fs::path cases() {
  return fs::path(TRELLIS_SOURCE_DIR) / "tests/golden/evalb";
}

// "command: evalb -p param.prm -c 10 gold.mrg test.mrg", the exit status, and what was told of
// faults, with repetitions told once.
struct Call {
  EvalbParameters parameters;
  int exit_status = 0;
  std::vector<std::string> faults;
};

Call read_call(const fs::path& folder) {
  Call call;
  std::istringstream text(read_file((folder / "command.txt").string()));
  bool in_faults = false;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (in_faults && line.starts_with("  ")) {
      const std::string fault = line.substr(2);
      if (call.faults.empty() || call.faults.back() != fault) call.faults.push_back(fault);
      continue;
    }
    in_faults = line == "stderr:";
    if (word == "exit") words >> word >> call.exit_status;
    if (word != "command:") continue;
    for (; words >> word;) {
      if (word == "-p") {
        call.parameters = read_evalb_parameters(InputFile((folder / "param.prm").string()));
      } else if (word == "-c") {
        words >> call.parameters.cutoff;
      } else if (word == "-e") {
        words >> call.parameters.max_errors;
      }
    }
  }
  return call;
}

TEST(Evalb, PrintsWhatEvalbPrints) {
  int num_cases = 0;
  for (const auto& entry : fs::directory_iterator(cases())) {
    const Call call = read_call(entry.path());
    Evalb evalb(call.parameters);
    evalb.add(InputFile((entry.path() / "gold.mrg").string()),
              InputFile((entry.path() / "test.mrg").string()));
    EXPECT_EQ(evalb.table(), read_file((entry.path() / "expected.txt").string())) << entry.path();
    EXPECT_EQ(evalb.gave_up(), call.exit_status != 0) << entry.path();
    EXPECT_EQ(evalb.faults(), call.faults) << entry.path();
    ++num_cases;
  }
  EXPECT_EQ(num_cases, 27);
}

TEST(Evalb, TheParametersOfCollinsAreBuiltIn) {
  EXPECT_EQ(EvalbParameters::collins(),
            read_evalb_parameters(InputFile((cases() / "26_random/param.prm").string())));
  EXPECT_EQ(Evalb().parameters(), EvalbParameters::collins());
}

// Brackets at random over the words, tags at random: what a parser that knows nothing finds.
ConstituencyTree random_tree(Index words, Random& random) {
  static const std::vector<std::string> labels = {"S", "NP", "VP", "PP", "ADVP", "PRT", "NP-SBJ"};
  static const std::vector<std::string> tags = {"NN", "VB", "IN", ",", ".", "-NONE-"};
  const auto draw = [&](const std::vector<std::string>& from) {
    return from[random.below(from.size())];
  };
  ConstituencyTree tree;
  std::vector<Index> open = {tree.open("TOP")};
  for (Index t = 0; t < words; ++t) {
    while (open.size() < 6 && random.below(2) == 0) open.push_back(tree.open(draw(labels)));
    tree.add_word(draw(tags), "w" + std::to_string(t));
    while (open.size() > 1 && random.below(2) == 0) {
      tree.close(open.back());
      open.pop_back();
    }
  }
  for (; !open.empty(); open.pop_back()) tree.close(open.back());
  return tree;
}

TEST(Evalb, TreesAreScoredAsTheirLines) {
  Random random(14);
  EvalbParameters parameters = EvalbParameters::collins();
  parameters.max_errors = 1000;
  Evalb of_trees(parameters);
  Evalb of_lines(parameters);
  for (Index i = 0; i < 200; ++i) {
    const Index words = 1 + i % 12;
    const ConstituencyTree gold = random_tree(words, random);
    const ConstituencyTree test = random_tree(words, random);
    std::string gold_line;
    std::string test_line;
    append_brackets(gold, gold_line);
    append_brackets(test, test_line);
    of_trees.add(gold, test);
    of_lines.add(gold_line, test_line);
  }
  EXPECT_EQ(of_trees.table(), of_lines.table());
  EXPECT_EQ(of_trees.faults(), of_lines.faults());
  EXPECT_EQ(of_trees.categories(), of_lines.categories());
  EXPECT_GT(of_trees.all().valid(), 10U);
  EXPECT_GT(of_trees.all().errors, 10U);
}

TEST(Evalb, FiguresAreThoseOfTheTable) {
  Evalb evalb;
  evalb.add("(TOP (S (NP (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NP (NN e))))))",
            "(TOP (S (NP (NN a)) (VP (VB b) (NP (NP (NN c)) (PP (IN d) (NP (NN f)))))))");
  EXPECT_EQ(evalb.sentences()[0].status, SentenceStatus::kError);
  evalb.add("(TOP (S (NP (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NP (NN e))))))",
            "(TOP (S (NP (NN a)) (VP (VB b) (NP (NP (NN c)) (PP (IN d) (NP (VB e)))))))");
  const EvalbSums& all = evalb.all();
  EXPECT_EQ(all.sentences, 2U);
  EXPECT_EQ(all.valid(), 1U);
  EXPECT_DOUBLE_EQ(all.recall(), 100);
  EXPECT_DOUBLE_EQ(all.precision(), 600. / 7);
  EXPECT_DOUBLE_EQ(all.f1(), 1200. / 13);
  EXPECT_DOUBLE_EQ(all.complete_match(), 0);
  EXPECT_DOUBLE_EQ(all.no_crossing(), 100);
  EXPECT_DOUBLE_EQ(all.tag_accuracy(), 80);
  EXPECT_EQ(evalb.up_to_cutoff(), all);
  const SentenceScore expected{SentenceStatus::kValid, 5, 6, 6, 7, 0, 5, 4};
  EXPECT_EQ(evalb.sentences()[1], expected);
  EXPECT_EQ(evalb.categories().at("NP"), (CategoryScore{3, 4, 3, 3}));
  EXPECT_EQ(evalb.categories().at("PP"), (CategoryScore{1, 1, 1, 1}));
  EXPECT_EQ(evalb.categories().count("TOP"), 0U);
}

TEST(Evalb, CategoriesOfEqualLabelsAreTheirOwn) {
  Evalb evalb;
  evalb.add("(TOP (VP (VB a) (PRT (RP b))))", "(TOP (VP (VB a) (ADVP (RP b))))");
  EXPECT_EQ(evalb.categories().at("PRT"), (CategoryScore{1, 0, 1, 0}));
  EXPECT_EQ(evalb.categories().at("ADVP"), (CategoryScore{0, 1, 0, 1}));
  EXPECT_DOUBLE_EQ(evalb.all().f1(), 100);
}

TEST(Evalb, EachBracketHasItsVerdict) {
  Evalb evalb;
  const BracketMatch& match = evalb.add("(TOP (S (NP (NN a)) (, ,) (X (. .)) (VP (VB b))))",
                                        "(TOP (S (NN a) (VP (VB b))))");
  using enum BracketVerdict;
  EXPECT_EQ(match.gold, (std::vector{kLeftOut, kMatched, kMissed, kLeftOut, kMatched}));
  EXPECT_EQ(match.test, (std::vector{kLeftOut, kMatched, kMatched}));
}

TEST(Evalb, NothingMatchedIsZeroInFigures) {
  Evalb evalb;
  EXPECT_EQ(evalb.all().f1(), 0);
  EXPECT_EQ(evalb.all().average_crossing(), 0);
}

// By the text of the program: the first closing bracket too many is told at the end of the line,
// each further one where it stands; what is unbalanced in both ways may look balanced.
TEST(Evalb, ClosingBracketsTooManyAreFaults) {
  Evalb evalb;
  evalb.add("(TOP (NN a))", "(TOP (NN a)))");
  evalb.add("(TOP (NN a))", "(TOP (NN a))))");
  EXPECT_EQ(evalb.faults(),
            (std::vector<std::string>{"1 : Bracketing is unbalanced (too many open bracket)",
                                      "2 : Bracketing unbalance (too many close bracket)",
                                      "2 : Bracketing is unbalanced (too many open bracket)"}));
  EXPECT_EQ(evalb.all().errors, 2U);
}

std::string complaint(const std::string& text) {
  try {
    read_evalb_parameters(InputFile::from_bytes(text, "p.prm"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(EvalbParameters, AreReadWithCommentsAndBlanks) {
  const std::string text =
      "## a comment\n\n  \nMAX_ERROR   7 \nCUTOFF_LEN\t12\nLABELED 0\nDELETE_LABEL ''\nEQ_LABEL "
      "A\t B "
      "\nEQ_WORD x y\nQUOTE_LABEL POS\r\n";
  const EvalbParameters read = read_evalb_parameters(InputFile::from_bytes(text, "p.prm"));
  EvalbParameters expected;
  expected.labelled = false;
  expected.max_errors = 7;
  expected.cutoff = 12;
  expected.deleted = {"''"};
  expected.quotes = {"POS"};
  expected.equal_labels = {{"A", "B"}};
  expected.equal_words = {{"x", "y"}};
  EXPECT_EQ(read, expected);
}

TEST(EvalbParameters, MistakesAreRefused) {
  EXPECT_EQ(complaint("\nCUTOFF 40"),
            "p.prm:2: expected a keyword of EVALB's parameters, found \"CUTOFF\"");
  EXPECT_EQ(complaint("CUTOFF_LEN many"), "p.prm:1: expected a number from 0, found \"many\"");
  EXPECT_EQ(complaint("MAX_ERROR -1"), "p.prm:1: expected a number from 0, found \"-1\"");
  EXPECT_EQ(complaint("DELETE_LABEL "), "p.prm:1: expected a value after \"DELETE_LABEL\"");
  EXPECT_EQ(complaint("EQ_LABEL ADVP"), "p.prm:1: expected two values, found \"ADVP\"");
  EXPECT_EQ(complaint("EQ_WORD a b c"), "p.prm:1: expected two values, found \"a b c\"");
}

}  // namespace
}  // namespace trellis::grammar::evalb_test
