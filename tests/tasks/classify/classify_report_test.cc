#include "trellis/tasks/classify/classify_report.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/well_formed.h"

namespace trellis::report::classify_report_test {
namespace {

ClassifyReport full_report() {
  ClassifyReport report;
  report.title = "Training of m";
  report.options = {{"learner", "smo"}};
  TrainingPoint point;
  point.epoch = 1;
  point.objective = 0.5;
  point.bound = 0.4;
  point.gap = 0.2;
  point.dev = 75;
  report.history = {point};
  report.evaluated_on = "dev.tsv";
  report.documents = 4;
  report.correct = 3;
  report.macro_f1 = 73.33;
  report.labels = {{"sport", {2, 3, 2}}, {"<weather>", {2, 1, 1}}};
  report.confusion.labels = {"<weather>", "sport"};
  report.confusion.counts = {1, 1, 0, 2};
  report.features = {{"sport", "goal", 1.5}, {"sport", "rain", -0.5}};
  report.mistakes = {{"line 3", "a storm of \"applause\" & <b>", "<weather>", "sport"}};
  return report;
}

TEST(ClassifyReport, ShowsAllThatItWasGiven) {
  const std::string html = classify_report(full_report());
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word :
       {"Training of m", "Accuracy", "75.00", "Macro-F1", "73.33", "Scores by label", "Confusion",
        "Documents by gold label", "Mistakes", "line 3", "a storm of \"applause\" & <b>",
        "Strongest features", "goal"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(ClassifyReport, LeavesOutWhatIsEmpty) {
  ClassifyReport report;
  report.title = "A model";
  const std::string html = classify_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"Accuracy", "Confusion", "Mistakes", "Strongest", "Training"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace trellis::report::classify_report_test
