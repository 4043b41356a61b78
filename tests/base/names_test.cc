#include "trellis/base/names.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace elsewhere {

enum class Season { kSpring, kSummer, kAutumn };
constexpr auto names_of(Season) {
  return Names{"season", "spring", "summer", "autumn"};
}

}  // namespace elsewhere

using elsewhere::Season;

TEST(Names, AreFoundByTheTypeOfTheValueBothWays) {
  for (const Season season : {Season::kSpring, Season::kSummer, Season::kAutumn}) {
    EXPECT_EQ(parse_named<Season>(to_string(season)), season);
  }
  EXPECT_EQ(words_of<Season>(), (std::vector<std::string>{"spring", "summer", "autumn"}));
}

TEST(Names, ListWhatThereIsWhereAWordIsNone) {
  try {
    parse_named<Season>("winter");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown season 'winter': expected spring, summer or autumn");
  }
}

constexpr std::string_view kWords[] = {"train", "predict", "evaluate", "c", "cv", "lambda"};

TEST(Names, AreGuessedFromMistypedOnes) {
  constexpr std::pair<const char*, const char*> kMistyped[] = {
      {"trian", "train"},   {"tarin", "train"},         {"predcit", "predict"}, {"lamda", "lambda"},
      {"Lambda", "lambda"}, {"evaluation", "evaluate"}, {"eval", "evaluate"},   {"C", "c"}};
  for (const auto& [text, meant] : kMistyped) {
    EXPECT_EQ(nearest_name(kWords, text), meant) << text;
  }
  EXPECT_EQ(suggestion(kWords, "trian"), "did you mean train?");
}

TEST(Names, AreNotGuessedFromOthers) {
  for (const char* text : {"", "x", "radius", "inspect", "t", "terrains-of-the-north"}) {
    EXPECT_EQ(nearest_name(kWords, text), std::nullopt) << text;
  }
  EXPECT_EQ(nearest_name(kWords, std::string(100'000, 'c')), std::nullopt);
  EXPECT_EQ(suggestion(std::span(kWords).first(3), "x"), "expected train, predict or evaluate");
  EXPECT_EQ(suggestion(std::span(kWords).first(1), "x"), "expected train");
}

}  // namespace trellis
