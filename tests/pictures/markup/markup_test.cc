#include "trellis/pictures/markup/markup.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report {
namespace {

TEST(Checker, FindsTheFaultsThatItIsThereToFind) {
  for (const char* bad : {"<p>", "</p>", "<p></b>", "<p class=x></p>", "a & b", "a < b",
                          "<b><i></b></i>", "<p title=\"<\"></p>", "\x01", "\xFF", "&nbsp;"}) {
    EXPECT_NE(find_markup_fault(bad), "") << bad;
  }
  EXPECT_EQ(find_markup_fault("<!DOCTYPE html><p class=\"x\">a &amp; b<br /></p>"), "");
}

TEST(Markup, TextIsEscaped) {
  EXPECT_EQ(text("</script><b>&\"'").markup(), "&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;");
}

TEST(Markup, AttributeValuesAreEscaped) {
  const Html html = element("p", {{"title", "\" onclick=\"x"}});
  EXPECT_EQ(html.markup(), "<p title=\"&quot; onclick=&quot;x\"></p>");
}

TEST(Markup, VoidElementsCloseInPlace) {
  EXPECT_EQ(element("br", {}).markup(), "<br />");
}

TEST(Markup, IllFormedUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(text("a\xFFz").markup(), "a\xEF\xBF\xBDz");
  EXPECT_EQ(text("\xED\xA0\x80").markup().find('\xED'), std::string::npos);  // a surrogate
}

TEST(Markup, ControlCharactersBecomeVisible) {
  EXPECT_EQ(text(std::string("a\0b", 3)).markup(), "a␀b");
  EXPECT_EQ(text("\x1B[2J\x7F").markup(), "␛[2J␡");
  EXPECT_EQ(text("\t\n").markup(), "\t\n");
  EXPECT_EQ(text("\xC2\x85\xEF\xBF\xBF").markup(), "\xEF\xBF\xBD\xEF\xBF\xBD");  // C1, U+FFFF
}

RC_GTEST_PROP(Markup, AnyBytesGiveWellFormedMarkup, (const std::vector<unsigned char>& bytes)) {
  const std::string raw(bytes.begin(), bytes.end());
  const Html html = element("p", {{"title", raw}}, text_element("b", raw) + text(raw));
  RC_ASSERT(find_markup_fault(html.markup()) == "");
}

RC_GTEST_PROP(Markup, PrintableTextIsShownAsItIs, ()) {
  const auto raw = *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '\x7F'));
  RC_ASSERT(visible_text(text(raw).markup()) == raw);
}

}  // namespace
}  // namespace trellis::report
