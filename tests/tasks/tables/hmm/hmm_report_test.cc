#include "trellis/tasks/tables/hmm/hmm_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/well_formed.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::report::hmm_report_test {
namespace {

trellis::hmm::SequenceModel small_model() {
  const double half = std::log(0.5);
  const Hmm hmm({{"a<b", "c"}, {{"1", {"x", "y"}}}},
                {half, half, half, half, half, half, half, half - 1, half, half});
  return {hmm,
          {{"1"}, "2"},
          "ring",
          generative::ring_costs(2),
          Value::record({{"estimator", "max-margin"}})};
}

trellis::hmm::Evaluation small_evaluation() {
  trellis::hmm::Evaluation evaluation;
  evaluation.states = {"a<b", "c"};
  evaluation.unseen_states = {"new"};
  evaluation.confusion = {3, 1, 0, 4, 1, 0};
  evaluation.loss_name = "ring";
  evaluation.positions = 9;
  evaluation.sequences = 2;
  evaluation.judged = {{"", 1, {0, 0, 1}, {0, 0, 1}, 0},
                       {"tour", 5, {0, trellis::hmm::SequenceNumbers::kUnseenState}, {1, 0}, 2}};
  return evaluation;
}

std::string page_of(const HmmReport& report) {
  const std::string page = hmm_report(report);
  EXPECT_EQ(find_markup_fault(page), "");
  EXPECT_EQ(hmm_report(report), page);
  return visible_text(page);
}

void expect_all(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* one : words) EXPECT_NE(text.find(one), std::string::npos) << one;
}
void expect_none(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* one : words) EXPECT_EQ(text.find(one), std::string::npos) << one;
}

TEST(HmmReport, ShowsAllThatItWasGiven) {
  const trellis::hmm::SequenceModel model = small_model();
  const trellis::hmm::Evaluation evaluation = small_evaluation();
  HmmReport report;
  report.title = "Training";
  report.model = &model;
  report.history = {{1, 10, 5, 5}, {2, 9, 8, 1}};
  report.iterations = {{1, 0, 2, 10, 5}, {2, 1, 3, 9, 8, 0, 0, 0.25, 0.5, 0.25}};
  report.trials = {{{1, 1}, 3}, {{0.1, 1}, 2}, {{0.1, 0.3}, 4}};
  report.setting = {0.1, 1};
  report.starts = {{{-5, -4}, true}, {{-6, -3}, true}};
  report.best_start = 1;
  report.evaluation = &evaluation;
  report.evaluated_on = "test.tsv";
  expect_all(page_of(report),
             {"Choice of eta", "Starts", "start 2, the best", "Confusion", "(others)",
              "Missing probability", "a<b", "Column 1", "max-margin", "(start)", "Sequences",
              "tour, line 5: loss 2 (ring), 2 of 2 positions wrong", "Decomposition", "Time spent",
              "All iterations as a table", "On test.tsv"});
}

TEST(HmmReport, LeavesOutWhatIsEmpty) {
  const trellis::hmm::SequenceModel model = small_model();
  HmmReport report;
  report.title = "A model";
  report.model = &model;
  const std::string text = page_of(report);
  expect_all(text, {"States", "Observations"});
  expect_none(text, {"Choice", "Starts", "Confusion", "Sequences", "Decomposition", "Training"});
}

TEST(HmmReport, TheWorstSequenceComesFirst) {
  const trellis::hmm::SequenceModel model = small_model();
  const trellis::hmm::Evaluation evaluation = small_evaluation();
  HmmReport report;
  report.model = &model;
  report.evaluation = &evaluation;
  const std::string text = page_of(report);
  EXPECT_LT(text.find("tour, line 5"), text.find("line 1: loss 0"));
}

TEST(HmmReport, OfManyStartsShowsTheBestAndTellsAll) {
  const trellis::hmm::SequenceModel model = small_model();
  HmmReport report;
  report.model = &model;
  for (int r = 0; r < 20; ++r) report.starts.push_back({{-100.0, -90.0 + r}, r % 2 == 0});
  report.best_start = 19;
  expect_all(page_of(report), {"The best of 20 starts is shown, and 5 others", "start 20, the best",
                               "All 20 starts as a table"});
}

}  // namespace
}  // namespace trellis::report::hmm_report_test
