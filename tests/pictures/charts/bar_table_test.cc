#include "trellis/pictures/charts/bar_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::bar_table_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string checked(const Html& html) {
  EXPECT_EQ(find_markup_fault(html.markup()), "");
  return html.markup();
}

TEST(Bar, IsClampedToItsCell) {
  EXPECT_NE(checked(bar(0.25)).find("--share:0.2500"), std::string::npos);
  EXPECT_NE(checked(bar(7)).find("--share:1.0000"), std::string::npos);
  EXPECT_NE(checked(bar(-1)).find("--share:0.0000"), std::string::npos);
  EXPECT_NE(checked(bar(kNaN)).find("--share:0.0000"), std::string::npos);
  EXPECT_NE(checked(bar(kInfinity)).find("--share:1.0000"), std::string::npos);
}

TEST(ScoreTable, ShowsScoresAndCountsOfEveryTypeAndOverall) {
  const std::vector<ScoreRow> rows = {{"LOC", 1668, 1710, 1459, 85.321, 87.47, 86.38}};
  const std::string markup =
      checked(score_table("type", rows, {"overall", 9, 8, 7, 87.5, 77.78, 82.35}));
  const std::string shown = visible_text(markup);
  for (const char* expected :
       {"LOC", "85.32", "87.47", "86.38", "1\u202F668", "overall", "82.35"}) {
    EXPECT_NE(shown.find(expected), std::string::npos) << expected;
  }
  EXPECT_EQ(count_of(markup, "class=\"bar\""), 6);
}

TEST(ScoreTable, NeedsNoTypes) {
  checked(score_table("type", {}, {}));
}

TEST(SignedTable, BarsPointTheWayOfTheSign) {
  const std::vector<SignedRow> rows = {{"w[0]=in", 4}, {"w[0]=U.N.", -1}, {"odd", kNaN}};
  const std::string markup = checked(signed_table("B-LOC", rows, 4));
  EXPECT_NE(markup.find("class=\"signed positive\" style=\"--share:1.0000\""), std::string::npos);
  EXPECT_NE(markup.find("class=\"signed negative\" style=\"--share:0.2500\""), std::string::npos);
  EXPECT_NE(visible_text(markup).find("−1.00"), std::string::npos);
}

TEST(SignedTable, NamesAreEscaped) {
  const std::vector<SignedRow> rows = {{"w[0]=<script>", 1}};
  EXPECT_EQ(checked(signed_table("</caption><script>", rows, 1)).find("<script"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::report::bar_table_test
