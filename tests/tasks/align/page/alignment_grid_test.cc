#include "trellis/tasks/align/page/alignment_grid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/base/random.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"

namespace trellis::report::alignment_grid_test {
namespace {

// 0-0 right, 1-1 allowed, 2-0 wrong, 2-2 missed, 0-1 possible, 1-2 passed.
AlignmentGrid small_grid() {
  AlignmentGrid grid;
  grid.name = "line 7";
  grid.source = {"the", "old", "harbour"};
  grid.target = {"le", "vieux", "port"};
  grid.found = {{{0, 0}, 0.9}, {{1, 1}, 0.5}, {{2, 0}, 0.3}};
  grid.cells = {{{0, 0}, 0.9}, {{1, 2}, 0.125}, {{2, 2}, 0.25}};
  grid.gold = align::GoldLinks{{{0, 0}, {2, 2}}, {{0, 0}, {0, 1}, {1, 1}, {2, 2}}, {}};
  return grid;
}

std::string drawn(const AlignmentGrid& grid) {
  const std::string markup = alignment_grid(grid).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_EQ(markup.find("nan"), std::string::npos);
  EXPECT_EQ(markup.find("inf"), std::string::npos);
  return markup;
}

int shapes(const std::string& markup, const std::string& style) {
  return count_of(markup, "class=\"" + style + "\"");
}

// The width of the picture, in pixels.
double width_of(const std::string& markup) {
  return std::stod(markup.substr(markup.find(" width=\"", markup.find("role=\"img\"")) + 8));
}

TEST(AlignmentGrid, JudgesEachLinkOnce) {
  const std::vector<LinkMark> marks = link_marks(small_grid());
  const std::vector<std::pair<Link, LinkVerdict>> expected = {
      {{0, 0}, LinkVerdict::kRight},   {{0, 1}, LinkVerdict::kPossible},
      {{1, 1}, LinkVerdict::kAllowed}, {{1, 2}, LinkVerdict::kPassed},
      {{2, 0}, LinkVerdict::kWrong},   {{2, 2}, LinkVerdict::kMissed}};
  ASSERT_EQ(marks.size(), expected.size());
  for (Index k = 0; k < marks.size(); ++k) {
    EXPECT_EQ(marks[k].link, expected[k].first) << k;
    EXPECT_EQ(marks[k].verdict, expected[k].second) << k;
  }
  EXPECT_EQ(marks[2].probability, 0.5);
  EXPECT_TRUE(std::isnan(marks[1].probability));
}

// Verdicts and scores are two tellings of one thing.
TEST(AlignmentGrid, VerdictsAddUpToTheScores) {
  Random random(1, 0);
  for (int trial = 0; trial < 50; ++trial) {
    AlignmentGrid grid;
    grid.source.assign(5, "a");
    grid.target.assign(6, "b");
    grid.gold.emplace();
    Links found;
    for (std::uint32_t i = 0; i < 5; ++i) {
      for (std::uint32_t j = 0; j < 6; ++j) {
        const Link link{i, j};
        const double gold = random.uniform();
        if (gold < 0.4) grid.gold->possible.push_back(link);
        if (gold < 0.2) grid.gold->sure.push_back(link);
        if (random.uniform() < 0.3) {
          grid.found.push_back({link, 0.5});
          found.push_back(link);
        }
      }
    }
    align::AlignmentCounts counts;
    for (const LinkMark& mark : link_marks(grid)) {
      const LinkVerdict v = mark.verdict;
      const bool right = v == LinkVerdict::kRight, allowed = v == LinkVerdict::kAllowed;
      const bool wrong = v == LinkVerdict::kWrong, missed = v == LinkVerdict::kMissed;
      counts.found += right || allowed || wrong ? 1 : 0;
      counts.sure += right || missed ? 1 : 0;
      counts.possible += right || missed || allowed || v == LinkVerdict::kPossible ? 1 : 0;
      counts.found_sure += right ? 1 : 0;
      counts.found_possible += right || allowed ? 1 : 0;
    }
    EXPECT_EQ(counts, align::count_links(found, *grid.gold));
  }
}

TEST(AlignmentGrid, DrawsWhatIsGoldAndWhatIsWrong) {
  const std::string markup = drawn(small_grid());
  EXPECT_EQ(shapes(markup, "sure"), 1);
  EXPECT_EQ(shapes(markup, "possible"), 2);
  EXPECT_EQ(shapes(markup, "found"), 2);
  EXPECT_EQ(shapes(markup, "stray"), 1);
  EXPECT_EQ(shapes(markup, "cross"), 1);
  EXPECT_EQ(shapes(markup, "lost"), 1);
  EXPECT_EQ(shapes(markup, "faint"), 2);
  const std::string text = visible_text(markup);
  for (const char* words :
       {"line 7: AER 40.0, 1 missed, 1 wrong", "the – le: found, sure, 0.900",
        "old – vieux: found, possible, 0.500", "harbour – le: found, but wrong, 0.300",
        "harbour – port: sure, but missed, 0.250", "the – vieux: possible, not found",
        "old – port: not found, 0.125"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

TEST(AlignmentGrid, WithoutGoldNothingIsWrong) {
  AlignmentGrid grid = small_grid();
  grid.gold.reset();
  const std::string markup = drawn(grid);
  EXPECT_EQ(shapes(markup, "found"), 3);
  for (const char* style : {"sure", "possible", "stray", "cross", "lost"}) {
    EXPECT_EQ(shapes(markup, style), 0) << style;
  }
  EXPECT_NE(visible_text(markup).find("line 7: 3 links"), std::string::npos);
}

TEST(AlignmentGrid, LikelyLinksAreFilledMoreStrongly) {
  AlignmentGrid grid = small_grid();
  grid.gold.reset();
  grid.cells.clear();
  double last = 0;
  for (const double p : {-1.0, 0.0, 0.3, 1.0, 2.0}) {
    grid.found = {{{0, 0}, p}};
    const std::string markup = drawn(grid);
    const std::size_t at = markup.find("fill-opacity=\"", markup.find("class=\"found\"")) + 14;
    const double opacity = std::stod(markup.substr(at));
    EXPECT_GE(opacity, std::max(last, 0.2));
    EXPECT_LE(opacity, 1);
    last = opacity;
  }
  EXPECT_EQ(last, 1);
}

AlignmentGrid grid_of_lengths(Index source, Index target) {
  AlignmentGrid grid;
  for (Index i = 0; i < source; ++i) grid.source.push_back(fmt::format("s{}", i));
  for (Index j = 0; j < target; ++j) grid.target.push_back(fmt::format("t{}", j));
  for (Index i = 0; i < std::min(source, target); ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    grid.found.push_back({{place, place}, 1});
  }
  return grid;
}

TEST(AlignmentGrid, ShortAndLongSentencesFitThePage) {
  for (const Index words : {1, 3, 10, 30, 60}) {
    const std::string markup = drawn(grid_of_lengths(words, words));
    EXPECT_EQ(shapes(markup, "found"), static_cast<int>(words));
    EXPECT_LE(width_of(markup), 1000) << words;
  }
  EXPECT_GE(width_of(drawn(grid_of_lengths(3, 3))), 3 * 20);
}

TEST(AlignmentGrid, VeryLongSentencesAreCutAndThatIsStated) {
  const std::string markup = drawn(grid_of_lengths(3, 2000));
  EXPECT_NE(visible_text(markup).find("The first 80 of 2\u202F000 target words are shown."),
            std::string::npos);
  EXPECT_EQ(visible_text(markup).find("source words are shown"), std::string::npos);
  EXPECT_EQ(count_of(markup, "<text "), 3 + 80);
  EXPECT_EQ(shapes(drawn(grid_of_lengths(500, 500)), "found"), 80);
}

TEST(AlignmentGrid, EmptySentencesAreTold) {
  for (const auto& grid : {AlignmentGrid(), grid_of_lengths(0, 3), grid_of_lengths(3, 0)}) {
    EXPECT_NE(visible_text(drawn(grid)).find("empty sentence"), std::string::npos);
  }
}

TEST(AlignmentGrid, LongWordsAreCutAndShownWholeInTheirTitle) {
  AlignmentGrid grid = small_grid();
  const std::string word(3000, 'w');
  grid.source[0] = grid.target[1] = word;
  const std::string markup = drawn(grid);
  EXPECT_LE(width_of(markup), 400);
  EXPECT_EQ(count_of(markup, "<title>" + word + "</title>"), 2);
  EXPECT_NE(markup.find("www…</text>"), std::string::npos);
}

TEST(AlignmentGrid, WordsFromTheRightAreIsolated) {
  AlignmentGrid grid = small_grid();
  grid.target[0] = "ميناء";
  const std::string markup = drawn(grid);
  EXPECT_NE(markup.find(">\u2068ميناء\u2069</text>"), std::string::npos);
  EXPECT_NE(markup.find("the – \u2068ميناء\u2069: found, sure"), std::string::npos);
}

TEST(AlignmentGrid, EveryWordIsEscaped) {
  AlignmentGrid grid = small_grid();
  grid.name = grid.source[0] = grid.target[0] = "</title><script>\"&";
  const std::string markup = drawn(grid);
  EXPECT_EQ(markup.find("<script"), std::string::npos);
  EXPECT_EQ(count_of(markup, "</svg>"), 3);
}

TEST(AlignmentGrid, OddLinksAreLeftOut) {
  AlignmentGrid grid = small_grid();
  grid.found.push_back({{7, 1}, 0.5});
  grid.cells.push_back({{0, 2}, std::numeric_limits<double>::quiet_NaN()});
  grid.gold->possible.push_back({kNullWord, 0});
  const std::string markup = drawn(grid);
  EXPECT_EQ(shapes(markup, "stray"), 1);
  EXPECT_EQ(shapes(markup, "possible"), 2);
}

TEST(AlignmentGrid, TheLegendDrawsWhatTheGridsDo) {
  const std::string with = alignment_legend(true).markup();
  EXPECT_EQ(find_markup_fault(with), "");
  for (const char* style : {"sure", "stray", "cross", "lost"}) EXPECT_EQ(shapes(with, style), 1);
  EXPECT_EQ(shapes(with, "possible"), 2);
  EXPECT_EQ(shapes(with, "found"), 2);
  const std::string without = alignment_legend(false).markup();
  EXPECT_EQ(find_markup_fault(without), "");
  EXPECT_EQ(count_of(without, "<li>"), 2);
}

}  // namespace
}  // namespace trellis::report::alignment_grid_test
