#include "trellis/data/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trellis::value_test {
namespace {

using Kind = Value::Kind;
using Numbers = std::map<std::string, int>;

constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> names_of(const Value& record) {
  std::vector<std::string> names;
  for (const Value::Field& field : record.fields()) names.push_back(field.name);
  return names;
}

TEST(Value, HasTheKindOfWhatItWasMadeFrom) {
  EXPECT_EQ(Value().kind(), Kind::kNull);
  EXPECT_EQ(Value(nullptr).kind(), Kind::kNull);
  EXPECT_EQ(Value(true).kind(), Kind::kBool);
  EXPECT_EQ(Value(0).kind(), Kind::kInteger);
  EXPECT_EQ(Value(kSmallest).kind(), Kind::kInteger);
  EXPECT_EQ(Value(Index{7}).kind(), Kind::kInteger);
  EXPECT_EQ(Value(kLargest / 2).kind(), Kind::kInteger);
  EXPECT_EQ(Value(kLargest / 2 + 1).kind(), Kind::kUnsigned);
  EXPECT_EQ(Value(0.0).kind(), Kind::kReal);
  EXPECT_EQ(Value(0.5F).kind(), Kind::kReal);
  EXPECT_EQ(Value("").kind(), Kind::kText);
  EXPECT_EQ(Value(std::string("a")).kind(), Kind::kText);
  EXPECT_EQ(Value(std::string_view("a")).kind(), Kind::kText);
  EXPECT_EQ(Value::list().kind(), Kind::kList);
  EXPECT_EQ(Value::record().kind(), Kind::kRecord);
}

TEST(Value, IsMadeFromTheContainersOfTheStandardLibrary) {
  EXPECT_EQ(Value(std::optional<int>()), nullptr);
  EXPECT_EQ(Value(std::optional<int>(3)), 3);
  EXPECT_EQ(Value(std::vector<std::string>{"a", "b"}), Value::list({"a", "b"}));
  EXPECT_EQ(Value(std::vector<bool>{true, false}), Value::list({true, false}));
  EXPECT_EQ(Value(std::vector<double>()), Value::list());
  const std::vector<double> numbers = {1, 2.5};
  EXPECT_EQ(Value(std::span(numbers)), Value::list({1, 2.5}));
  EXPECT_EQ(Value(std::vector<std::vector<int>>{{1}, {}}),
            Value::list({Value::list({1}), Value::list()}));
  EXPECT_EQ(Value(Numbers{{"b", 1}, {"a", 2}}), Value::record({{"a", 2}, {"b", 1}}));
}

TEST(Value, TellsWhatItIs) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_TRUE(Value(false).is_bool());
  EXPECT_FALSE(Value(0).is_bool());
  EXPECT_TRUE(Value(-1).is_integer());
  EXPECT_TRUE(Value(kLargest).is_integer());
  EXPECT_FALSE(Value(1.0).is_integer());
  EXPECT_TRUE(Value(0).is_count());
  EXPECT_TRUE(Value(kLargest).is_count());
  EXPECT_FALSE(Value(-1).is_count());
  EXPECT_FALSE(Value(1.0).is_count());
  EXPECT_TRUE(Value(-1).is_number());
  EXPECT_TRUE(Value(1.0).is_number());
  EXPECT_FALSE(Value("1").is_number());
  EXPECT_TRUE(Value("1").is_text());
  EXPECT_TRUE(Value::list().is_list());
  EXPECT_TRUE(Value::record().is_record());
}

TEST(Value, HasTheSizeOfItsContents) {
  EXPECT_EQ(Value().size(), 0U);
  EXPECT_EQ(Value("text").size(), 1U);
  EXPECT_EQ(Value(0).size(), 1U);
  EXPECT_EQ(Value::list({1, 2, 3}).size(), 3U);
  EXPECT_EQ(Value::record({{"a", 1}, {"b", 2}}).size(), 2U);
  EXPECT_TRUE(Value().empty());
  EXPECT_TRUE(Value::list().empty());
  EXPECT_TRUE(Value::record().empty());
  EXPECT_FALSE(Value("").empty());
}

TEST(Value, ARecordKeepsTheOrderOfItsFields) {
  Value record;
  record["z"] = 1;
  record["a"] = 2;
  record["m"] = 3;
  record["z"] = 4;
  EXPECT_EQ(names_of(record), (std::vector<std::string>{"z", "a", "m"}));
  EXPECT_EQ(record.at("z"), 4);
  record.erase("a");
  record.erase("not there");
  EXPECT_EQ(names_of(record), (std::vector<std::string>{"z", "m"}));
  EXPECT_FALSE(record.contains("a"));
}

TEST(Value, ARecordFindsItsFieldsHoweverManyThereAre) {
  constexpr int kMany = 60;
  Value record;
  std::vector<int> there;
  const auto check = [&] {
    ASSERT_EQ(record.size(), there.size());
    for (const int k : there) ASSERT_EQ(record.at(std::to_string(k)), k);
  };
  for (int k = 0; k < kMany; ++k) {
    record[std::to_string(k)] = k;
    there.push_back(k);
    ASSERT_FALSE(record.contains(std::to_string(k + 1)));
    check();
  }
  while (!there.empty()) {
    const Index which = there.size() / 2;
    const std::string name = std::to_string(there[which]);
    record.erase(name);
    there.erase(there.begin() + static_cast<std::ptrdiff_t>(which));
    ASSERT_FALSE(record.contains(name));
    check();
  }
}

TEST(Value, ReferencesReachIntoIt) {
  Value value;
  value["a"]["b"]["c"] = 1;
  value["list"].push_back("x");
  value["list"].push_back(Value::record({{"y", 2}}));
  value.at("a").at("b")["d"] = 3;
  value.at("a").at("b").at("c") = 4;
  EXPECT_EQ(value.at("a").at("b"), Value::record({{"c", 4}, {"d", 3}}));
  EXPECT_EQ(value.at("list"), Value::list({"x", Value::record({{"y", 2}})}));
  const Value& list = value.at("list");
  EXPECT_EQ(list.at(0), "x");
  EXPECT_EQ(list.at(1).at("y"), 2);
}

TEST(Value, ACopyIsOfItsOwn) {
  Value value = Value::record({{"a", Value::list({1, "two"})}, {"b", Value::record({{"c", 3}})}});
  const Value copy = value;
  value["a"].push_back(3);
  value["b"]["c"] = "changed";
  EXPECT_EQ(copy,
            Value::record({{"a", Value::list({1, "two"})}, {"b", Value::record({{"c", 3}})}}));
  value = copy;
  EXPECT_EQ(value, copy);
  value = value.at("b").at("c");  // a part of itself
  EXPECT_EQ(value, 3);
}

TEST(Value, WhatWasMovedFromIsNothing) {
  Value text = "a text that is too long to lie in the string itself";
  const Value moved = std::move(text);
  EXPECT_TRUE(text.is_null());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(moved.text(), "a text that is too long to lie in the string itself");
  Value record;
  record["part"] = Value::list({1, 2});
  Value all;
  all["first"] = std::move(record.at("part"));
  EXPECT_TRUE(record.at("part").is_null());
  EXPECT_EQ(all.at("first"), Value::list({1, 2}));
}

TEST(Value, OnlyNothingBecomesSomethingElse) {
  Value list;
  list.push_back(1);
  EXPECT_EQ(list, Value::list({1}));
  EXPECT_THROW(list["a"] = 1, ValueError);
  EXPECT_THROW(list.erase("a"), ValueError);
  Value record;
  record["a"] = 1;
  EXPECT_THROW(record.push_back(1), ValueError);
  Value number = 1;
  EXPECT_THROW(number["a"] = 1, ValueError);
  EXPECT_THROW(number.push_back(1), ValueError);
  EXPECT_EQ(number, 1);
}

TEST(Value, GetGivesNumbersThatFit) {
  EXPECT_EQ(Value(-7).get<int>(), -7);
  EXPECT_EQ(Value(255).get<std::uint8_t>(), 255);
  EXPECT_EQ(Value(kSmallest).get<std::int64_t>(), kSmallest);
  EXPECT_EQ(Value(kLargest).get<std::uint64_t>(), kLargest);
  EXPECT_EQ(Value(3).get<double>(), 3.0);
  EXPECT_EQ(Value(kLargest).get<double>(), 18446744073709551616.0);
  EXPECT_EQ(Value(0.5).get<float>(), 0.5F);
  EXPECT_TRUE(Value(true).get<bool>());

  EXPECT_THROW(Value(256).get<std::uint8_t>(), ValueError);
  EXPECT_THROW(Value(-1).get<Index>(), ValueError);
  EXPECT_THROW(Value(std::int64_t{1} << 40).get<int>(), ValueError);
  EXPECT_THROW(Value(kLargest).get<std::int64_t>(), ValueError);
  EXPECT_THROW(Value(1.0).get<int>(), ValueError);
  EXPECT_THROW(Value(1.0).get<Index>(), ValueError);
}

TEST(Value, GetRefusesAnotherKind) {
  EXPECT_THROW(Value(1).get<bool>(), ValueError);
  EXPECT_THROW(Value(true).get<int>(), ValueError);
  EXPECT_THROW(Value(true).get<double>(), ValueError);
  EXPECT_THROW(Value().get<double>(), ValueError);
  EXPECT_THROW(Value("1").get<double>(), ValueError);
  EXPECT_THROW(Value(1).get<std::string>(), ValueError);
  EXPECT_THROW(Value().get<std::string>(), ValueError);
  EXPECT_THROW(Value("a").get<std::vector<std::string>>(), ValueError);
  EXPECT_THROW(Value::record().get<std::vector<int>>(), ValueError);
  EXPECT_THROW(Value::list({"a", 1}).get<std::vector<std::string>>(), ValueError);
  EXPECT_THROW(Value::list().get<Numbers>(), ValueError);
  EXPECT_THROW(Value::record({{"a", "b"}}).get<Numbers>(), ValueError);
}

TEST(Value, GetGivesContainers) {
  using Rows = std::vector<std::vector<double>>;
  EXPECT_EQ(Value::list({"a", "b"}).get<std::vector<std::string>>(),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Value::list({Value::list({1, 2.5}), Value::list()}).get<Rows>(), (Rows{{1, 2.5}, {}}));
  EXPECT_EQ(Value::record({{"b", 1}, {"a", 2}}).get<Numbers>(), (Numbers{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(Value::list({1, "x"}).get<std::vector<Value>>().at(1), "x");
}

TEST(Value, WhatIsMissingIsRefused) {
  const Value record = Value::record({{"a", 1}});
  EXPECT_TRUE(record.contains("a"));
  EXPECT_FALSE(record.contains("b"));
  EXPECT_FALSE(Value("a").contains("a"));
  EXPECT_FALSE(Value().contains("a"));
  EXPECT_THROW(static_cast<void>(record.at("b")), ValueError);
  EXPECT_THROW(static_cast<void>(record.at(Index{0})), ValueError);
  EXPECT_THROW(static_cast<void>(record.items()), ValueError);
  EXPECT_THROW(static_cast<void>(record.text()), ValueError);
  const Value list = Value::list({1});
  EXPECT_THROW(static_cast<void>(list.at(1)), ValueError);
  EXPECT_THROW(static_cast<void>(list.at("a")), ValueError);
  EXPECT_THROW(static_cast<void>(list.fields()), ValueError);
  EXPECT_THROW(static_cast<void>(Value().items()), ValueError);
  EXPECT_THROW(static_cast<void>(Value().fields()), ValueError);
  EXPECT_THROW(static_cast<void>(Value().at("a")), ValueError);
}

TEST(Value, NumbersAreEqualByValue) {
  EXPECT_EQ(Value(1), Value(1.0));
  EXPECT_EQ(Value(1), Value(1U));
  EXPECT_EQ(Value(kLargest), Value(kLargest));
  EXPECT_NE(Value(1), Value(1.5));
  EXPECT_NE(Value(-1), Value(kLargest));
  EXPECT_NE(Value(kSmallest), Value(kSmallest + 1));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_NE(Value(1), Value("1"));
  EXPECT_NE(Value(0), Value());
  const double nan = std::nan("");
  EXPECT_EQ(Value(nan), Value(nan));
}

TEST(Value, RecordsAreEqualWhateverTheirOrder) {
  EXPECT_EQ(Value::record({{"a", 1}, {"b", 2}}), Value::record({{"b", 2}, {"a", 1}}));
  EXPECT_NE(Value::record({{"a", 1}, {"b", 2}}), Value::record({{"a", 1}, {"c", 2}}));
  EXPECT_NE(Value::record({{"a", 1}}), Value::record({{"a", 1}, {"b", 2}}));
  EXPECT_NE(Value::record({{"a", 1}}), Value::record({{"a", 2}}));
  EXPECT_NE(Value::list({1, 2}), Value::list({2, 1}));
  EXPECT_NE(Value::list({1}), Value::list({1, 2}));
  EXPECT_NE(Value::list(), Value::record());
  EXPECT_EQ(Value(), Value(nullptr));
}

TEST(Value, AnUpdateTakesThePlaceOfFieldsOfTheSameNames) {
  Value record = Value::record({{"a", 1}, {"b", 2}});
  record.update(Value::record({{"b", "new"}, {"c", 3}}));
  record.update(Value());
  EXPECT_EQ(record, Value::record({{"a", 1}, {"b", "new"}, {"c", 3}}));
  EXPECT_EQ(names_of(record), (std::vector<std::string>{"a", "b", "c"}));
  Value nothing;
  nothing.update(Value::record({{"a", 1}}));
  EXPECT_EQ(nothing, Value::record({{"a", 1}}));
  EXPECT_THROW(record.update(Value::list({1})), ValueError);
}

}  // namespace
}  // namespace trellis::value_test
