#include "trellis/base/names.h"

#include <gtest/gtest.h>

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

}  // namespace trellis
