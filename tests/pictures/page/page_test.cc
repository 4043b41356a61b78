#include "trellis/pictures/page/page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::page_test {
namespace {

std::string checked(const std::string& markup) {
  EXPECT_EQ(find_markup_fault(markup), "");
  return markup;
}

TEST(Page, NeedsNothingFromOutside) {
  Page page("Title", "Subtitle");
  page.add_section("One", "", paragraph("text"));
  const std::string html = checked(page.to_string());
  for (const char* reference : {"http:", "https:", "src=", "<script", "<link", "url(", "@import"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
}

TEST(Page, ForbidsScriptsByPolicy) {
  EXPECT_NE(Page("x").to_string().find("default-src &#39;none&#39;"), std::string::npos);
}

TEST(Page, AnEmptyPageIsAPage) {
  const std::string html = checked(Page("").to_string());
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(html.find("<nav"), std::string::npos);
}

TEST(Page, ContentsLinkToTheSections) {
  Page page("x");
  page.add_section("One", "", {});
  page.add_section("Two", "lead", {});
  const std::string html = checked(page.to_string());
  EXPECT_NE(html.find("href=\"#section-2\""), std::string::npos);
  EXPECT_NE(html.find("id=\"section-2\""), std::string::npos);
}

TEST(Page, EveryTextIsEscaped) {
  const std::string evil = "</style></title><script>alert('x')</script>";
  Page page(evil, evil);
  page.add_section(evil, evil,
                   paragraph(evil) + note(evil) + subheading(evil) + details(evil, text(evil)));
  const std::vector<Tile> some_tiles = {{evil, evil, evil}};
  const std::vector<Entry> entries = {{evil, evil}};
  const std::vector<Html> blocks = {text(evil), text(evil)};
  page.add(tiles(some_tiles) + definitions(entries) + side_by_side(blocks) + in_a_row(blocks));
  page.add(table({evil, {{evil, Align::kStart}, {evil, Align::kEnd}}, {{text(evil), text(evil)}}}));
  const std::string html = checked(page.to_string());
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_GE(count_of(visible_text(html), evil), 20);
}

TEST(Page, EmptyBlocksAreBlocks) {
  checked((tiles({}) + definitions({}) + side_by_side({}) + in_a_row({}) + table({})).markup());
}

}  // namespace
}  // namespace trellis::report::page_test
