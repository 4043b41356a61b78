#include "trellis/pictures/page/style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "tests/pictures/contrast.h"

namespace trellis::report {
namespace {

// The n-th definition of a colour: 0 is the light scheme, 1 the dark one, 2 paper.
Colour colour(const std::string& name, int scheme) {
  const std::string css(style_sheet());
  std::size_t at = std::string::npos;
  for (int i = 0; i <= scheme; ++i) at = css.find("--" + name + ":", at + 1);
  Colour c{};
  std::istringstream in(css.substr(at + name.size() + 3));
  in >> c[0] >> c[1] >> c[2];
  return c;
}

Colour over(const Colour& top, double alpha, const Colour& ground) {
  Colour mixed{};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = alpha * top[i] + (1 - alpha) * ground[i];
  return mixed;
}

// The opacity of a cell of full depth, as the sheet has it.
double full_depth(const std::string& colour_name) {
  const std::string css(style_sheet());
  const std::string key = "rgb(var(--" + colour_name + ") / calc(var(--depth) * ";
  return std::stod(css.substr(css.find(key) + key.size(), 6));
}

class Scheme : public testing::TestWithParam<int> {};

TEST_P(Scheme, TextHasContrastOnThePage) {
  const Colour paper = colour("paper", GetParam());
  for (const char* name : {"ink", "muted", "accent", "warn"}) {
    EXPECT_GE(contrast(colour(name, GetParam()), paper), 4.5) << name;
  }
}

TEST_P(Scheme, TextHasContrastOnTheDeepestCells) {
  const Colour paper = colour("paper", GetParam()), ink = colour("ink", GetParam());
  for (const char* name : {"accent", "warn"}) {
    const Colour cell = over(colour(name, GetParam()), full_depth(name), paper);
    EXPECT_GE(contrast(ink, cell), 4.5) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(LightDarkPrint, Scheme, testing::Values(0, 1, 2));

TEST(StyleSheet, CanStandInAPageAsItIs) {
  EXPECT_EQ(style_sheet().find('<'), std::string_view::npos);
  EXPECT_EQ(style_sheet().find('&'), std::string_view::npos);
  EXPECT_EQ(std::count(style_sheet().begin(), style_sheet().end(), '{'),
            std::count(style_sheet().begin(), style_sheet().end(), '}'));
}

}  // namespace
}  // namespace trellis::report
