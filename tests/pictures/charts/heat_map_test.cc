#include "trellis/pictures/charts/heat_map.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "tests/well_formed.h"

namespace trellis::report::heat_map_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string checked(const Html& html) {
  EXPECT_EQ(find_markup_fault(html.markup()), "");
  return html.markup();
}

// Each label is right ten times; label i is taken for label i + 1 i times.
ConfusionMatrix chain_of_mistakes(Index n) {
  ConfusionMatrix matrix;
  for (Index i = 0; i < n; ++i) matrix.labels.push_back(fmt::format("L{}", i));
  matrix.counts.assign(n * n, 0);
  for (Index i = 0; i < n; ++i) {
    matrix.counts[i * n + i] = 10;
    if (i + 1 < n) matrix.counts[i * n + i + 1] = i;
  }
  return matrix;
}

TEST(ConfusionHeatMap, TellsRightFromWrong) {
  const std::string markup = checked(confusion_heat_map({{"A", "B"}, {8, 2, 0, 5}}));
  EXPECT_EQ(count_of(markup, "class=\"hit\""), 2);
  EXPECT_EQ(count_of(markup, "class=\"miss\""), 1);
  EXPECT_EQ(count_of(markup, "class=\"none\""), 1);
  EXPECT_NE(markup.find("gold A, predicted B: 2 of 10 (20.0 %)"), std::string::npos);
}

TEST(ConfusionHeatMap, NoLabelsAndNoTokensAreDrawn) {
  checked(confusion_heat_map({}));
  checked(confusion_heat_map({{"A", "B"}, {0, 0, 0, 0}}));
}

TEST(ConfusionHeatMap, ManyLabelsAreCutToThoseWithTheMostMistakes) {
  const std::string markup = checked(confusion_heat_map(chain_of_mistakes(500), 10));
  const std::string shown = visible_text(markup);
  EXPECT_NE(shown.find("10 of 500 labels are shown"), std::string::npos);
  EXPECT_NE(shown.find("L498"), std::string::npos);
  EXPECT_EQ(shown.find("L100"), std::string::npos);
  EXPECT_EQ(count_of(markup, "<tr>"), 1 + 11);
}

TEST(ConfusionHeatMap, TheRemainderKeepsTheTotal) {
  const ConfusionMatrix matrix = chain_of_mistakes(50);
  const std::string markup = checked(confusion_heat_map(matrix, 5));
  Index total = 0;
  const std::string key = "<td class=\"total\">";
  for (std::size_t at = markup.find(key); at != std::string::npos; at = markup.find(key, at + 1)) {
    std::string digits = markup.substr(at + key.size(), 12);
    digits.erase(digits.find('<'));
    std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
    total += std::stoul(digits);
  }
  EXPECT_EQ(total, std::accumulate(matrix.counts.begin(), matrix.counts.end(), Index{0}));
}

TEST(ConfusionHeatMap, LabelsAreEscaped) {
  const std::string markup = checked(confusion_heat_map({{"</td><script>", "\"x"}, {1, 1, 1, 1}}));
  EXPECT_EQ(markup.find("<script"), std::string::npos);
}

TEST(MostConfused, IsSortedByCountAndThenByLabel) {
  const ConfusionMatrix matrix = {{"A", "B", "C"}, {9, 1, 4, 4, 9, 0, 0, 1, 9}};
  const auto pairs = most_confused(matrix, 3);
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].gold, 0U);
  EXPECT_EQ(pairs[0].predicted, 2U);
  EXPECT_EQ(pairs[1].gold, 1U);
  EXPECT_EQ(pairs[1].predicted, 0U);
  EXPECT_EQ(pairs[2].gold, 0U);
  EXPECT_EQ(pairs[2].count, 1U);
  EXPECT_DOUBLE_EQ(pairs[0].share, 4.0 / 14.0);
  EXPECT_TRUE(most_confused({}, 3).empty());
}

TEST(WeightHeatMap, SignsAndAbsentWeightsAreTold) {
  const std::string markup =
      checked(weight_heat_map({"from", "to", {"A"}, {"B", "C", "D"}, {1.5, -2, kNaN}}));
  EXPECT_EQ(count_of(markup, "class=\"positive\""), 1);
  EXPECT_EQ(count_of(markup, "class=\"negative\""), 1);
  EXPECT_EQ(count_of(markup, "class=\"absent\""), 1);
  EXPECT_NE(visible_text(markup).find("−2.00"), std::string::npos);
  EXPECT_NE(visible_text(markup).find("no such weight"), std::string::npos);
}

TEST(WeightHeatMap, OddWeightsAreDrawn) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string markup = checked(
      weight_heat_map({"from", "to", {"A", "B"}, {"A", "B"}, {infinity, -infinity, 0, kNaN}}));
  EXPECT_EQ(markup.find("nan"), std::string::npos);
  EXPECT_EQ(markup.find("inf"), std::string::npos);
  checked(weight_heat_map({}));
  checked(weight_heat_map({"from", "to", {"A"}, {"B"}, {0}}));
}

TEST(WeightHeatMap, ManyLinesAreCutToTheLargestWeights) {
  WeightMatrix matrix{"from", "to", {}, {"X"}, {}};
  for (int i = 0; i < 300; ++i) {
    matrix.rows.push_back(fmt::format("R{}", i));
    matrix.weights.push_back(i == 7 ? -50 : i * 0.1);
  }
  const std::string shown = visible_text(checked(weight_heat_map(matrix, 4)));
  EXPECT_NE(shown.find("4 of 300 rows and 1 of 1 columns are shown"), std::string::npos);
  for (const char* kept : {"R7", "R297", "R298", "R299"}) {
    EXPECT_NE(shown.find(kept), std::string::npos) << kept;
  }
}

TEST(ProbabilityHeatMap, ShowsProbabilitiesAndWhatIsMissing) {
  const std::string markup = checked(probability_heat_map(
      {"from", "to", {"a<", "b"}, {"x", "y"}, {0.25, 0.75, 0, 0.5}, {0, 0.5}}));
  EXPECT_EQ(count_of(markup, "class=\"positive\""), 3);
  EXPECT_EQ(count_of(markup, "class=\"none\""), 1);
  EXPECT_NE(markup.find("--depth:1.000"), std::string::npos);
  const std::string shown = visible_text(markup);
  for (const char* words : {"a<", "0.250", "0.750", "missing", "0.500"}) {
    EXPECT_NE(shown.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(
      visible_text(checked(probability_heat_map({"", "", {"a"}, {"x"}, {1}}))).find("missing"),
      std::string::npos);
  checked(probability_heat_map({}));
}

TEST(ProbabilityHeatMap, OfManyColumnsShowsThoseThatTellRowsApart) {
  // Every row has its own column; the other half of its mass lies evenly on the common ones.
  constexpr Index kRows = 3, kCommon = 50;
  ProbabilityTable table{"state", "observed", {"a", "b", "c"}, {}, {}};
  for (Index c = 0; c < kCommon; ++c) table.columns.push_back(fmt::format("common{}", c));
  for (Index r = 0; r < kRows; ++r) table.columns.push_back(fmt::format("own{}", r));
  for (Index r = 0; r < kRows; ++r) {
    for (Index c = 0; c < kCommon; ++c) table.probabilities.push_back(0.5 / kCommon);
    for (Index c = 0; c < kRows; ++c) table.probabilities.push_back(c == r ? 0.5 : 0);
  }
  const std::string shown = visible_text(checked(probability_heat_map(table, {24, 3})));
  for (const char* words : {"own0", "own1", "own2", "3 of 53 columns are shown"}) {
    EXPECT_NE(shown.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(shown.find("common"), std::string::npos);
}

TEST(ProbabilityHeatMap, OfManyRowsShowsThoseThatDiffer) {
  ProbabilityTable table{"parents", "child", {}, {"x", "y"}, {}};
  for (Index r = 0; r < 100; ++r) {
    table.rows.push_back(fmt::format("row{}.", r));
    const double p = r == 41 ? 0.99 : 0.2;
    table.probabilities.insert(table.probabilities.end(), {p, 1 - p});
  }
  const std::string shown = visible_text(checked(probability_heat_map(table, {2, 18})));
  EXPECT_NE(shown.find("row41."), std::string::npos);
  EXPECT_NE(shown.find("2 of 100 rows are shown"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::heat_map_test
