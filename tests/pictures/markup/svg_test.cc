#include "trellis/pictures/markup/svg.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/well_formed.h"

namespace trellis::report::svg_test {
namespace {

TEST(Svg, CoordinatesAreShort) {
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(12.25), "12.2");
  EXPECT_EQ(coordinate(-0.04), "0");
  EXPECT_EQ(coordinate(-3.5), "-3.5");
}

TEST(Svg, ASwatchIsNotReadAloud) {
  const std::string markup = swatch(element("path", {{"d", "M1 6H27"}})).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_NE(markup.find("aria-hidden=\"true\""), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::svg_test
