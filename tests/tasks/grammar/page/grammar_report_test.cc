#include "trellis/tasks/grammar/page/grammar_report.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/brackets/bracket_reader.h"

namespace trellis::report::grammar_report_test {
namespace {

constexpr const char* kEvil = "</td><script>";

std::vector<grammar::ConstituencyTree> trees_of(std::string_view text) {
  return grammar::read_trees(InputFile::from_bytes(text, "trees"));
}

void add(const grammar::ConstituencyTree& gold, const grammar::ConstituencyTree& found,
         GrammarReport& report) {
  const grammar::BracketMatch& match = report.scores.add(gold, found);
  report.trees.add(gold, found, match, grammar::EvalbParameters::collins());
}

GrammarReport full_report() {
  GrammarReport report;
  report.title = "Evaluation of m";
  report.options = {{"learner", "dca"}};
  report.history = {{1, 2, 1, 1, 70, 0.5, 2}, {2, 1.5, 1.2, 0.3, 80, 1, 1.5}};
  report.evaluated_on = "dev.mrg";
  report.partial = 1;
  const auto gold = trees_of(
      "(S (NP (DT a) (NN b)) (VP (VB c)))\n"
      "(S (NP (DT a)) (VP (VB b) (NP (NN c))))\n"
      "(S (NP (NN x)) (VP (VB y)))\n");
  const auto found = trees_of(
      "(S (NP (DT a) (NN b)) (VP (VB c)))\n"
      "(S (NP (DT a) (VB b)) (NP (NN c)))\n"
      "(S (NP (NN x)) (VP (NN y)))\n");
  for (Index i = 0; i < gold.size(); ++i) add(gold[i], found[i], report);
  grammar::ConstituencyTree evil = gold[0];
  for (grammar::ConstituencyTree::Node& node : evil.nodes) {
    if (node.is_preterminal()) node.word = kEvil;
    if (node.label == "NP") node.label = kEvil;
  }
  add(evil, evil, report);
  return report;
}

std::string checked(const GrammarReport& report) {
  const std::string html = grammar_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* reference : {"http:", "https:", "src=", "<script", "<link", "url(", "@import"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  return html;
}

TEST(GrammarReport, ShowsAllThatItWasGiven) {
  const std::string text = visible_text(checked(full_report()));
  for (const char* word : {"Evaluation of m",
                           "On dev.mrg",
                           "F1",
                           "Recall",
                           "Precision",
                           "Correct trees",
                           "3 of 4 sentences",
                           "Crossing",
                           "Tags",
                           "fragments under the root",
                           "Options",
                           "Training",
                           "Scores by category",
                           "all brackets",
                           "Scores by length of the sentence",
                           "1-10",
                           "Trees",
                           "The hardest",
                           "line 2",
                           "drawn at random",
                           "line 1",
                           kEvil}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(GrammarReport, LeavesOutWhatIsEmpty) {
  GrammarReport report;
  report.title = "A model";
  const std::string text = visible_text(checked(report));
  for (const char* word : {"F1", "Training", "Scores", "Trees", "Options", "Tags", "hardest"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(GrammarReport, TreesWithoutAMistakeAreNotHard) {
  GrammarReport report;
  const auto trees = trees_of("(S (NP (DT a) (NN b)) (VP (VB c)))");
  add(trees[0], trees[0], report);
  const std::string text = visible_text(checked(report));
  EXPECT_EQ(text.find("hardest"), std::string::npos);
  EXPECT_EQ(report.trees.sample().size(), 1);
}

TEST(GrammarReport, TheSameDataGiveTheSameBytes) {
  EXPECT_EQ(grammar_report(full_report()), grammar_report(full_report()));
}

}  // namespace
}  // namespace trellis::report::grammar_report_test
