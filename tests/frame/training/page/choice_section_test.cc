#include "trellis/frame/training/page/choice_section.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/frame/training/page/small_choice.h"
#include "tests/well_formed.h"

namespace trellis::report::choice_section_test {
namespace {

std::string page_of(const Learned* learned) {
  Page page("A page", "");
  add_choice_section(learned, page);
  return page.to_string();
}

TEST(ChoiceSection, ShowsTheChoiceItsCurveAndEverySetting) {
  const Learned learned = small_choice();
  const std::string html = page_of(&learned);
  EXPECT_EQ(find_markup_fault(html), "");
  const std::string text = visible_text(html);
  for (const char* word : {"Choice of settings", "Chosen: lambda = 0.1, by figure <of> merit.",
                           "chosen: lambda = 0.1", "All settings", "0.95", "0.5"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
  }
  EXPECT_EQ(text.find("norm"), std::string::npos);  // known of runs on all examples alone
}

TEST(ChoiceSection, OfAPathShowsObjectiveAndNormToo) {
  Learned learned = small_choice();
  for (Tried& tried : learned.tried) {
    tried.figure = kUnknown;
    tried.objective = 7.25;
    tried.norm = 3.5;
  }
  const std::string text = visible_text(page_of(&learned));
  for (const char* word : {"objective", "norm of the weights", "7.25", "3.5"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
  }
}

TEST(ChoiceSection, DrawsALineForEachValueOfOtherDialsAndAZero) {
  Learned learned;
  learned.searched = {{"cache", {0, 10, 20}}, {"c", {0.1, 1}}};
  learned.chosen_by = "accuracy";
  for (const double c : {0.1, 1.0}) {
    for (const Index cache : {Index{0}, Index{10}, Index{20}}) {
      Tried tried;
      tried.setting.values.c = c;
      tried.setting.values.cache = cache;
      tried.figure = c;
      learned.tried.push_back(tried);
    }
  }
  learned.choice = learned.tried[3].setting;
  const std::string html = page_of(&learned);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* word : {"c = 0.1", "c = 1", "cache"}) {
    EXPECT_NE(visible_text(html).find(word), std::string::npos) << word;
  }
}

TEST(ChoiceSection, IsLeftOutWhereNothingWasChosen) {
  const Learned learned;
  EXPECT_EQ(page_of(&learned), page_of(nullptr));
  EXPECT_EQ(visible_text(page_of(nullptr)).find("Choice"), std::string::npos);
}

}  // namespace
}  // namespace trellis::report::choice_section_test
