#include "trellis/tasks/match/match_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/frame/training/page/small_choice.h"
#include "tests/well_formed.h"

namespace trellis::report::match_report_test {
namespace {

match::PointSet triangle(const std::string& name) {
  match::PointSet set;
  set.name = name;
  set.points = {{0, 0}, {4, 0}, {0, 3}};
  set.ids = {0, 1, 2};
  set.outline = {{0, 0}, {4, 0}, {0, 3}};
  return set;
}

MatchReport full_report() {
  MatchReport report;
  report.title = "Training of m";
  report.options = {{"estimator", "map"}};
  TrainingPoint point;
  point.epoch = 1;
  point.objective = 0.5;
  report.history = {point};
  static const Learned kLearned = small_choice();
  report.learned = &kLearned;
  report.evaluated_on = "dev.list";
  match::MatchExample example;
  example.name = "<cat> & lion";
  example.num_left = example.num_right = 3;
  example.gold = {0, 1, 2};
  report.scores.add(example, {1, 0, 2});
  report.unlearned = 12.5;
  report.pictures = {{"<cat> & lion",
                      66.7,
                      triangle("cat"),
                      triangle("lion"),
                      {{0, 1, false}, {1, 0, false}, {2, 2, true}}}};
  report.contexts = {"ring", "sector", {"1", "2"}, {"1", "2"}, {-1, 0.5, 0, 2}};
  report.features = {{"belong together", "near", 1.5}};
  return report;
}

TEST(MatchReport, ShowsAllThatItWasGiven) {
  const std::string html = match_report(full_report());
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word :
       {"Training of m", "Hamming error", "66.67", "Without mistakes", "Choice of settings",
        "Pairs", "<cat> & lion: error 66.7 %", "Unlearned", "12.50", "Errors by graph",
        "Weights of differences", "near", "On dev.list"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
  EXPECT_NE(html.find("<line "), std::string::npos);
}

TEST(MatchReport, LeavesOutWhatIsEmpty) {
  MatchReport report;
  report.title = "A model";
  const std::string html = match_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"Hamming", "Choice", "Pairs", "differences", "Training"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

// The corners of each outline, from left to right.
std::vector<std::pair<double, double>> widths_of_outlines(const std::string& html) {
  std::vector<std::pair<double, double>> widths;
  for (std::size_t at = html.find("<polygon points=\""); at != std::string::npos;
       at = html.find("<polygon points=\"", at + 1)) {
    const std::size_t begin = html.find('"', at) + 1;
    std::istringstream corners(html.substr(begin, html.find('"', begin) - begin));
    std::pair<double, double> width{1e9, -1e9};
    for (std::string corner; corners >> corner;) {
      width.first = std::min(width.first, std::stod(corner));
      width.second = std::max(width.second, std::stod(corner));
    }
    widths.push_back(width);
  }
  return widths;
}

TEST(MatchReport, DrawsTheTwoShapesApartAndWithOutlinesThatAreSeen) {
  const std::string html = match_report(full_report());
  const auto widths = widths_of_outlines(html);
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_GT(widths[1].first, widths[0].second + 100);
  EXPECT_NE(html.find("class=\"band series-1\" stroke=\"currentColor\" stroke-width=\"1.5\""),
            std::string::npos);
}

// A mistake is what one looks for: nothing that is right lies on it.
TEST(MatchReport, DrawsMistakesAboveWhatIsRight) {
  MatchReport report = full_report();
  std::reverse(report.pictures[0].lines.begin(), report.pictures[0].lines.end());
  for (const std::string& html : {match_report(full_report()), match_report(report)}) {
    const auto right = html.rfind("class=\"series-0\" stroke=\"currentColor\" stroke-width=\"1\"");
    const auto wrong = html.find("class=\"series-2\" stroke=\"currentColor\" stroke-width=\"2.2\"");
    ASSERT_NE(right, std::string::npos);
    ASSERT_NE(wrong, std::string::npos);
    EXPECT_LT(right, wrong);
  }
}

// All points in one place, and none at all, are drawn all the same.
TEST(MatchReport, DrawsDegenerateShapes) {
  MatchReport report = full_report();
  report.pictures[0].left.points.assign(3, {2, 2});
  report.pictures[0].left.outline.clear();
  EXPECT_EQ(find_markup_fault(match_report(report)), "");
  EXPECT_EQ(match_report(report).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::match_report_test
