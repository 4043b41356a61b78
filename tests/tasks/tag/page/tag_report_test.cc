#include "trellis/tasks/tag/page/tag_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/well_formed.h"

namespace trellis::report::tag_report_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string checked(const TagReport& report) {
  const std::string html = tag_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* reference : {"http:", "https:", "<script", "src=", "url(", "nan", "inf,"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  return html;
}

TagReport full_report() {
  TagReport report;
  report.title = "Entities";
  report.subtitle = "L-BFGS";
  report.options = {{"c", "1"}, {"learner", "lbfgs"}};
  report.history = {{1, 2.0, -1.0, 3.0, 80.0, 1.5}, {2, 1.0, 0.5, 0.5, 84.25, 3.0}};
  report.evaluated_on = "test.txt";
  report.sentences = 2;
  report.correct_sentences = 1;
  report.tokens = 10;
  report.correct_tokens = 9;
  report.overall = {4, 5, 3};
  report.types = {{"LOC", {1, 2, 1}}, {"PER", {3, 3, 2}}};
  report.confusion = {{"B-LOC", "O"}, {3, 1, 0, 6}};
  report.features = {{"B-LOC", "w[-1]=in", 2.5}, {"O", "w[0]=the", 1.5}, {"B-LOC", "w[0]=the", -3}};
  report.transitions = {"from", "to", {"B-LOC", "O"}, {"B-LOC", "O"}, {-1, 1, 0.5, kNaN}};
  report.examples = {{"line 1", {"in", "Bonn"}, {"O", "B-LOC"}, {"O", "O"}}};
  return report;
}

TEST(TagReport, HasASectionForEveryPart) {
  const std::string shown = visible_text(checked(full_report()));
  for (const char* heading : {"Training", "Scores by type", "Confusion", "Sentences",
                              "Strongest features", "Transitions", "Options", "On test.txt"}) {
    EXPECT_NE(shown.find(heading), std::string::npos) << heading;
  }
}

TEST(TagReport, ScoresAreConllevals) {
  const std::string shown = visible_text(checked(full_report()));
  for (const char* figure : {"60.00", "75.00", "66.67", "90.00", "50.00", "84.25"}) {
    EXPECT_NE(shown.find(figure), std::string::npos) << figure;
  }
}

TEST(TagReport, AnEmptyReportIsAPageWithoutSections) {
  const std::string html = checked({});
  EXPECT_EQ(html.find("<section"), std::string::npos);
  EXPECT_EQ(html.find("<nav"), std::string::npos);
}

TEST(TagReport, EvaluationAloneHasNoTraining) {
  TagReport report = full_report();
  report.history.clear();
  EXPECT_EQ(visible_text(checked(report)).find("Training"), std::string::npos);
}

TEST(TagReport, TheSameDataGivesTheSameBytes) {
  EXPECT_EQ(tag_report(full_report()), tag_report(full_report()));
}

TEST(TagReport, WhatIsNotKnownIsLeftOut) {
  TagReport report = full_report();
  report.history = {{}, {}};
  report.history[1].epoch = 1;
  checked(report);
  report.history = {{1, kInfinity, -kInfinity, kInfinity, kNaN, kInfinity}};
  checked(report);
  report.history = {{1, 2.0, kNaN, kNaN, kNaN, kNaN}};
  EXPECT_EQ(visible_text(checked(report)).find("lower bound"), std::string::npos);
}

TEST(TagReport, OneEpochIsDrawn) {
  TagReport report = full_report();
  report.history.resize(1);
  EXPECT_NE(visible_text(checked(report)).find("80.00 after epoch 1"), std::string::npos);
}

TEST(TagReport, PlainTagsHaveNoSpans) {
  TagReport report = full_report();
  report.spans = false;
  const std::string shown = visible_text(checked(report));
  EXPECT_NE(shown.find("Scores by tag"), std::string::npos);
  EXPECT_NE(shown.find("1 wrong tag"), std::string::npos);
  EXPECT_EQ(shown.find("conlleval"), std::string::npos);
}

TEST(TagReport, ThousandsOfLabelsStayReadable) {
  TagReport report = full_report();
  const Index n = 1000;
  report.types.clear();
  report.confusion = {{}, std::vector<Index>(n * n, 1)};
  report.features.clear();
  for (Index i = 0; i < n; ++i) {
    const std::string label = fmt::format("L{}", i);
    report.types.push_back({label, {i, i, i}});
    report.confusion.labels.push_back(label);
    report.features.push_back({label, "w[0]=x", 1});
  }
  report.transitions = {"from", "to", report.confusion.labels, report.confusion.labels,
                        std::vector<double>(n * n, 0.5)};
  const std::string html = checked(report);
  EXPECT_LT(html.size(), 3000000U);
  const std::string shown = visible_text(html);
  EXPECT_NE(shown.find("of 1000 labels are shown"), std::string::npos);
  EXPECT_NE(shown.find("960 rarer types"), std::string::npos);
}

TEST(TagReport, HostileStringsAreShownAsTheyAre) {
  const std::string evil = "</script><b>&\"'\xFF";
  TagReport report = full_report();
  report.title = report.subtitle = report.evaluated_on = report.dev_metric = evil;
  report.options = {{evil, evil}};
  report.types = {{evil, {1, 1, 1}}};
  report.confusion.labels = {evil, evil};
  report.features = {{evil, evil, kNaN}, {evil, evil, 1}, {evil, evil, -kInfinity}};
  report.transitions.rows = report.transitions.columns = {evil, evil};
  report.transitions.row_title = report.transitions.column_title = evil;
  report.examples = {{evil, {evil, evil}, {evil, evil}, {evil, "B-" + evil}}};
  const std::string html = checked(report);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_GE(count_of(visible_text(html), "</script><b>&\"'"), 15);
  report.spans = false;
  checked(report);
}

TEST(TagReport, SentencesWithMistakesComeFirst) {
  TagReport report = full_report();
  report.examples = {{"line 1", {"right"}, {"O"}, {"O"}}, {"line 9", {"wrong"}, {"B-LOC"}, {"O"}}};
  const std::string shown = visible_text(checked(report));
  EXPECT_LT(shown.find("wrong"), shown.find("1 without a mistake"));
  EXPECT_LT(shown.find("1 without a mistake"), shown.find("right", shown.find("line 1")));
}

TEST(TagReport, AUselessBoundDoesNotFlattenTheObjective) {
  TagReport report = full_report();
  report.history = {{1, 2.0, -1e9, 1e9, kNaN, 1}, {2, 1.0, -5e8, 5e8, kNaN, 2}};
  const std::string html = checked(report);
  EXPECT_NE(html.find(">2.0</text>"), std::string::npos);
}

TEST(TagReport, ManyExamplesAreFolded) {
  TagReport report = full_report();
  report.examples.assign(50, report.examples.front());
  EXPECT_NE(visible_text(checked(report)).find("30 more with mistakes"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::tag_report_test
