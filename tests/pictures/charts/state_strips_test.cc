#include "trellis/pictures/charts/state_strips.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::state_strips_test {
namespace {

const std::vector<std::string> kStates = {"<sun>", "rain"};

std::string strips(const StateSequence& sequence) {
  const std::string markup = state_strips(sequence, kStates).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  return markup;
}

TEST(StateStrips, RunsAreBoxesAndMistakesAreMarked) {
  const std::string markup = strips({"line 1", {0, 0, 0, 1, 1, kNoLabel}, {0, 0, 1, 1, 1, 1}});
  EXPECT_EQ(count_of(markup, "class=\"run\""), 4);
  EXPECT_EQ(count_of(markup, "class=\"unknown\""), 1);
  EXPECT_EQ(count_of(markup, "class=\"fault\""), 1);  // what is not known is no mistake
  const std::string text = visible_text(markup);
  for (const char* words : {"line 1", "true", "found", "positions 1 to 3: <sun>",
                            "positions 3 to 6: rain", "position 6: not known"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

TEST(StateStrips, LongSequencesAreBrokenAndCut) {
  const std::vector<Label> one(1000, 0);
  const std::string markup = strips({"long", one, one});
  EXPECT_GT(count_of(markup, "<svg"), 3);
  EXPECT_LT(count_of(markup, "<svg"), 10);
  EXPECT_NE(visible_text(markup).find("The first 480 of"), std::string::npos);
  strips({"empty", {}, {}});
}

TEST(StateStrips, LegendNamesStates) {
  const std::string markup = state_legend(kStates).markup();
  EXPECT_EQ(find_markup_fault(markup), "");
  EXPECT_NE(visible_text(markup).find("<sun>"), std::string::npos);
  EXPECT_NE(
      visible_text(state_legend(std::vector<std::string>(100, "s")).markup()).find("and 40 more"),
      std::string::npos);
}

}  // namespace
}  // namespace trellis::report::state_strips_test
