#include "trellis/pictures/charts/line_chart.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::line_chart_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

LineChart chart_of(std::vector<double> y) {
  LineChart chart;
  chart.title = "Objective";
  chart.x_label = "epoch";
  Series series{"objective", {}, std::move(y)};
  for (Index i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i + 1));
  chart.series.push_back(series);
  return chart;
}

std::string drawn(const LineChart& chart) {
  const std::string markup = line_chart(chart).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_EQ(markup.find("nan"), std::string::npos);
  EXPECT_EQ(markup.find("inf"), std::string::npos);
  return markup;
}

int lines_in(const std::string& markup) {
  return count_of(markup, "class=\"line\"");
}

TEST(LineChart, DrawsOneLineThroughAllPoints) {
  const std::string markup = drawn(chart_of({3, 2, 1}));
  EXPECT_EQ(lines_in(markup), 1);
  EXPECT_EQ(count_of(markup, "<circle"), 3);
}

TEST(LineChart, HasATitleAndADescription) {
  const std::string markup = drawn(chart_of({3, 2, 1}));
  EXPECT_NE(markup.find("role=\"img\""), std::string::npos);
  EXPECT_NE(markup.find("<title>Objective</title>"), std::string::npos);
  EXPECT_NE(markup.find("<desc>objective: from 1 to 3, last 1. </desc>"), std::string::npos);
}

TEST(LineChart, NaNLeavesAGap) {
  EXPECT_EQ(lines_in(drawn(chart_of({4, 3, kNaN, 2, 1}))), 2);
  EXPECT_EQ(lines_in(drawn(chart_of({4, 3, kInfinity, 2, 1}))), 2);
}

TEST(LineChart, ALonePointIsMarked) {
  const std::string markup = drawn(chart_of({5}));
  EXPECT_EQ(lines_in(markup), 0);
  EXPECT_EQ(count_of(markup, "<circle"), 1);
  std::vector<double> long_series(100, 1.0);
  long_series[50] = long_series[52] = kNaN;
  EXPECT_EQ(count_of(drawn(chart_of(long_series)), "<circle"), 1);
}

TEST(LineChart, SaysSoWhenThereIsNothingToDraw) {
  LineChart empty;
  EXPECT_NE(drawn(empty).find("Nothing to draw."), std::string::npos);
  EXPECT_NE(drawn(chart_of({})).find("Nothing to draw."), std::string::npos);
  EXPECT_NE(drawn(chart_of({kNaN, kInfinity, -kInfinity})).find("Nothing to draw."),
            std::string::npos);
}

TEST(LineChart, ALogarithmicAxisLeavesOutWhatIsNotPositive) {
  LineChart chart = chart_of({100, 10, 0, -1, 1, 0.1});
  chart.y_scale = Scale::kLog;
  EXPECT_EQ(lines_in(drawn(chart)), 2);
}

TEST(LineChart, ExtremeValuesAreDrawn) {
  drawn(chart_of({1e300, -1e300}));
  drawn(chart_of({1.7e308, -1.7e308}));
  drawn(chart_of({5e-324, 0}));
  drawn(chart_of({1, 1 + 1e-16, 1}));
}

TEST(LineChart, TheBandHasTheGapsOfBothEdges) {
  LineChart chart = chart_of({5, 4, 3, 2, 1});
  chart.series.push_back({"bound", chart.series[0].x, {0, 0, kNaN, 0, 0}});
  chart.band = Band{0, 1, "gap"};
  const std::string markup = drawn(chart);
  EXPECT_EQ(count_of(markup, "class=\"band\""), 2 + 1);  // and one in the legend
}

TEST(LineChart, SeveralSeriesHaveALegend) {
  LineChart chart = chart_of({3, 2});
  EXPECT_EQ(drawn(chart).find("class=\"legend\""), std::string::npos);
  for (int i = 0; i < 9; ++i) chart.series.push_back({fmt::format("s{}", i), {1, 2}, {1, 2}});
  const std::string markup = drawn(chart);
  EXPECT_NE(markup.find("class=\"legend\""), std::string::npos);
  EXPECT_NE(visible_text(markup).find("s8"), std::string::npos);
}

TEST(LineChart, TheCutLeavesAPeakOutOfTheAxis) {
  LineChart chart = chart_of({0, 1, 2, -1000});
  EXPECT_NE(visible_text(drawn(chart)).find("−1000"), std::string::npos);
  chart.y_low = -1;
  EXPECT_EQ(visible_text(drawn(chart)).find("−800"), std::string::npos);
  chart.y_low = 99;  // above all: one point is left of the axis
  drawn(chart);
  chart.y_low = kNaN;
  drawn(chart);
}

TEST(LineChart, HoveringShowsTheValuesOfAllSeries) {
  LineChart chart = chart_of({3, 2});
  chart.series.push_back({"bound", {2}, {1.25}});
  const std::string shown = visible_text(drawn(chart));
  EXPECT_NE(shown.find("epoch 1, objective 3"), std::string::npos);
  EXPECT_NE(shown.find("epoch 2, objective 2, bound 1.25"), std::string::npos);
}

// The lowest and the highest point of the first line, in units of the picture.
std::pair<double, double> vertical_extent(const std::string& markup) {
  const std::size_t begin = markup.find("d=\"M", markup.find("class=\"line\"")) + 3;
  std::string path = markup.substr(begin, markup.find('"', begin) - begin);
  std::replace_if(
      path.begin(), path.end(), [](char c) { return c == 'M' || c == 'L'; }, ' ');
  std::istringstream numbers(path);
  double low = kInfinity, high = -kInfinity;
  for (double x = 0, y = 0; numbers >> x >> y;) low = std::min(low, y), high = std::max(high, y);
  return {low, high};
}

TEST(LineChart, LongSeriesKeepTheirPeaksAndStaySmall) {
  std::vector<double> y(200000);
  for (Index i = 0; i < y.size(); ++i) y[i] = std::sin(static_cast<double>(i) * 0.37);
  y[123456] = 90;
  y[77777] = -90;
  const std::string markup = drawn(chart_of(y));
  EXPECT_LT(markup.size(), 200000U);
  EXPECT_EQ(vertical_extent(markup), vertical_extent(drawn(chart_of({90, -90}))));
}

TEST(LineChart, PartsAreNamedAndSetApart) {
  LineChart chart = chart_of({9, 8, 4, 3, 2, 1});
  chart.parts = {{1, 2.5, "warm-up"}, {2.5, 6, "main"}};
  const std::string markup = drawn(chart);
  EXPECT_EQ(count_of(markup, "class=\"border\""), 1);
  EXPECT_EQ(count_of(markup, "class=\"part\""), 2);
  const std::string shown = visible_text(markup);
  EXPECT_NE(shown.find("epoch 2, warm-up, objective 8"), std::string::npos);
  EXPECT_NE(shown.find("epoch 3, main, objective 4"), std::string::npos);
  // A name that has no room above its part is left to hovering.
  chart.parts[0].name = std::string(200, 'x');
  EXPECT_EQ(count_of(drawn(chart), "class=\"part\""), 1);
}

// The heights of all columns, in units of the picture.
std::vector<double> column_heights(const std::string& markup) {
  std::vector<double> heights;
  const std::string key = "<rect class=\"column\"";
  for (std::size_t at = markup.find(key); at != std::string::npos; at = markup.find(key, at + 1)) {
    heights.push_back(std::stod(markup.substr(markup.find("height=\"", at) + 8)));
  }
  return heights;
}

TEST(LineChart, ColumnsStandOnZero) {
  LineChart chart = chart_of({0.25, 0.5, kNaN, 0});
  chart.columns = true;
  std::vector<double> heights = column_heights(drawn(chart));
  ASSERT_EQ(heights.size(), 3U);
  EXPECT_NEAR(heights[1], 2 * heights[0], 0.2);
  EXPECT_EQ(heights[2], 0);
  EXPECT_EQ(lines_in(drawn(chart)), 0);
  chart.series.push_back({"other", {1, 2}, {-0.5, 0.25}});
  heights = column_heights(drawn(chart));
  ASSERT_EQ(heights.size(), 5U);
  EXPECT_NEAR(heights[3], heights[1], 0.2);
}

TEST(LineChart, NamesAreEscaped) {
  LineChart chart = chart_of({3, 2});
  chart.parts = {{1, 2, "<b>"}};
  chart.title = chart.x_label = chart.y_label = chart.series[0].name = "</svg><script>";
  chart.marks.push_back({1, 3, "</text>"});
  const std::string markup = drawn(chart);
  EXPECT_EQ(markup.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::line_chart_test
