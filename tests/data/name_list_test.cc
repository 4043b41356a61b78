#include "trellis/data/name_list.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <unordered_map>

#include "trellis/base/error.h"

namespace trellis {
namespace {

TEST(NameList, NumbersInTheOrderOfInsertion) {
  NameList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.add("B-PER"), 0u);
  EXPECT_EQ(list.add("O"), 1u);
  EXPECT_EQ(list.add("B-PER"), 0u);
  EXPECT_EQ(list.add(""), 2u);
  EXPECT_EQ(list.add("Αθήνα"), 3u);
  EXPECT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0], "B-PER");
  EXPECT_EQ(list[2], "");
  EXPECT_EQ(list.find("Αθήνα"), 3u);
  EXPECT_EQ(list.find("I-PER"), NameList::kNone);
  EXPECT_THROW(list.add("\xFF"), UsageError);
  EXPECT_EQ(list.size(), 4u);
}

TEST(NameList, EqualsAMapAndSurvivesItsFlatForm) {
  rc::check([](const std::vector<std::uint16_t>& numbers) {
    NameList list;
    std::unordered_map<std::string, std::uint32_t> map;
    for (const std::uint16_t number : numbers) {
      const std::string name = std::to_string(number % 500);
      const auto entry = map.emplace(name, static_cast<std::uint32_t>(map.size()));
      RC_ASSERT(list.add(name) == entry.first->second);
    }
    const NameView view(list.offsets(), list.bytes(), "model");
    const NameList copy(view, "model");
    RC_ASSERT(view.size() == map.size());
    for (const auto& [name, id] : map) {
      RC_ASSERT(view[id] == name);
      RC_ASSERT(list[id] == name);
      RC_ASSERT(copy.find(name) == id);
    }
  });
}

TEST(NameView, EmptyListsAreLists) {
  EXPECT_EQ(NameView().size(), 0u);
  const NameList list;
  EXPECT_EQ(NameView(list.offsets(), list.bytes(), "model").size(), 0u);
}

TEST(NameView, RefusesIllFormedLists) {
  const std::string bytes = "abcdé";
  const auto refuses = [&](const std::vector<std::uint64_t>& offsets) {
    try {
      const NameView view(offsets, bytes, "model");
      return false;
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), "model");
      return true;
    }
  };
  EXPECT_FALSE(refuses({0, 2, 6}));
  EXPECT_FALSE(refuses({0, 0, 6, 6}));
  EXPECT_TRUE(refuses({}));
  EXPECT_TRUE(refuses({0}));
  EXPECT_TRUE(refuses({1, 6}));
  EXPECT_TRUE(refuses({0, 7}));
  EXPECT_TRUE(refuses({0, 5})) << "bytes left over";
  EXPECT_TRUE(refuses({0, 4, 2, 6}));
  EXPECT_TRUE(refuses({0, ~std::uint64_t{0}, 6}));
  EXPECT_TRUE(refuses({0, 5, 6})) << "a character in two names";
}

TEST(NameList, RefusesDuplicatesInAModel) {
  const std::vector<std::uint64_t> offsets{0, 1, 2};
  const NameView view(offsets, std::string_view("aa"), "model");
  EXPECT_THROW(NameList(view, "model"), InputError);
}

}  // namespace
}  // namespace trellis
