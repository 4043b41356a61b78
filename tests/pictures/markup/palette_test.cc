#include "trellis/pictures/markup/palette.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/pictures/contrast.h"

namespace trellis::report::palette_test {
namespace {

Colour parsed(std::string_view hex) {
  Colour c{};
  for (std::size_t i = 0; i < 3; ++i)
    c[i] = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16);
  return c;
}

TEST(Palette, ColoursStandOutInLightAndInDark) {
  const Colour light = {253, 252, 250}, dark = {20, 23, 26};  // the paper of pictures/page/style.cc
  for (Index k = 0; k < kPaletteSize; ++k) {
    EXPECT_GE(contrast(parsed(palette_colour(k)), light), 1.9) << k;
    EXPECT_GE(contrast(parsed(palette_colour(k)), dark), 3) << k;
  }
}

TEST(Palette, ColoursDifferUntilTheyBeginAgain) {
  std::set<std::string_view> colours = {kNoKindColour};
  for (Index k = 0; k < kPaletteSize; ++k) colours.insert(palette_colour(k));
  EXPECT_EQ(colours.size(), kPaletteSize + 1);
  EXPECT_EQ(palette_colour(kPaletteSize + 3), palette_colour(3));
}

}  // namespace
}  // namespace trellis::report::palette_test
