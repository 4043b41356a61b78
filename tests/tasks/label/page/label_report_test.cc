#include "trellis/tasks/label/page/label_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::label_report_test {
namespace {

label::LabelScores scores_of(const std::vector<std::string>& names) {
  label::LabelSets truth, predicted;
  truth.append(std::vector<std::uint32_t>{0});
  truth.append(std::vector<std::uint32_t>{0, 1});
  predicted.append(std::vector<std::uint32_t>{0, 1});
  predicted.append(std::vector<std::uint32_t>{0, 1});
  std::vector<double> ranks(2 * names.size(), 0.0);
  ranks[0] = 1;
  return label::score_label_sets(names, truth, predicted, ranks);
}

LabelReport full_report() {
  LabelReport report;
  report.title = "Training of m";
  report.options = {{"measure", "macro-f1"}};
  TrainingPoint point;
  point.epoch = 1;
  point.objective = 0.5;
  point.bound = 0.4;
  point.gap = 0.2;
  report.history = {point};
  report.advice = "the best c is the largest";
  report.evaluated_on = "test.arff";
  report.scores = scores_of({"sweet & sour", "<baked>", "soup"});
  report.features = {{"<baked>", "baker's \"yeast\"", 1.5}, {"<baked>", "broth", -0.5}};
  report.links = {
      "label", "label", {"<baked>", "soup"}, {"<baked>", "soup"}, {NAN, 0.75, 0.75, NAN}};
  report.links_lead = "How much two labels add.";
  return report;
}

TEST(LabelReport, ShowsAllThatItWasGiven) {
  const std::string html = label_report(full_report());
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"Training of m",
                           "Relative gap between objective and bound",
                           "Certified: exact inference.",
                           "the best c is the largest",
                           "On test.arff",
                           "Macro-F1",
                           "88.89",
                           "Micro-F1",
                           "85.71",
                           "Example-F1",
                           "83.33",
                           "Hamming loss",
                           "16.67",
                           "Subset accuracy",
                           "50.00",
                           "Ranking loss",
                           "Scores by label",
                           "sweet & sour",
                           "<baked>",
                           "Weights between labels",
                           "How much two labels add.",
                           "0.75",
                           "Strongest features",
                           "baker's \"yeast\""}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(LabelReport, LeavesOutWhatIsEmpty) {
  LabelReport report;
  report.title = "A model";
  const std::string html = label_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"Macro", "Hamming", "Scores by label", "Weights between", "Strongest"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(LabelReport, ManyLabelsAreFolded) {
  std::vector<std::string> names;
  for (int v = 0; v < 100; ++v) names.push_back("label " + std::to_string(v));
  LabelReport report;
  report.scores = scores_of(names);
  const std::string html = label_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  EXPECT_NE(visible_text(html).find("60 more labels"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::label_report_test
