#include "trellis/tasks/rank/rank_report.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/frame/training/page/small_choice.h"
#include "tests/well_formed.h"

namespace trellis::report::rank_report_test {
namespace {

RankReport full_report() {
  RankReport report;
  report.title = "Training of m";
  report.options = {{"estimator", "map"}};
  TrainingPoint point;
  point.epoch = 1;
  point.objective = 0.5;
  point.bound = 0.4;
  point.gap = 0.2;
  report.history = {point};
  report.selected_by = "ndcg@10";
  static const Learned kLearned = small_choice();
  report.learned = &kLearned;
  report.evaluated_on = "dev.txt";
  report.scores.add("<b>7</b>", std::vector<rank::Grade>{2, 0, 1}, std::vector<double>{3, 2, 1});
  report.scores.add("8", std::vector<rank::Grade>{0, 1}, std::vector<double>{3, 2});
  report.features = {{"what raises a document", "21", 0.4}};
  return report;
}

TEST(RankReport, ShowsAllThatItWasGiven) {
  const std::string html = rank_report(full_report());
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word :
       {"Training of m", "NDCG@10", "MAP", "Choice of settings", "Scores by depth",
        "Scores by query", "<b>7</b>", "Strongest features", "what raises a document"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(RankReport, LeavesOutWhatIsEmpty) {
  RankReport report;
  report.title = "A model";
  const std::string html = rank_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"NDCG", "Choice", "Scores", "Strongest", "Training"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace trellis::report::rank_report_test
