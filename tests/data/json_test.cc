#include "trellis/data/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::json_test {
namespace {

using nlohmann::json;

constexpr int kRandomValues = 4000;

constexpr std::string_view kPieces[] = {"a",
                                        "word",
                                        " ",
                                        "\"",
                                        "\\",
                                        "/",
                                        "\b\f\n\r\t",
                                        std::string_view("\0", 1),
                                        "\x01",
                                        "\x1f",
                                        "\x7f",
                                        "é",
                                        "Αθήνα",
                                        "\xe2\x80\xa8",       // U+2028
                                        "\xef\xbf\xbf",       // U+FFFF
                                        "\xf0\x9f\x8c\xb3",   // U+1F333
                                        "\xf4\x8f\xbf\xbf"};  // U+10FFFF
constexpr std::string_view kIllFormed[] = {"\xff",
                                           "\x80",
                                           "\xc3",              // without its second byte
                                           "\xe2\x80",          // without its third
                                           "\xc0\xaf",          // overlong
                                           "\xed\xa0\x80",      // a surrogate
                                           "\xf4\x90\x80\x80",  // above U+10FFFF
                                           "\xf0\x9f\x8c"};

// The same value twice: the other is printed by nlohmann::json.
struct Both {
  Value value;
  json other;
};

class RandomValues {
 public:
  RandomValues(std::uint64_t seed, bool ill_formed) : random_(seed), ill_formed_(ill_formed) {}

  Both draw(int depth) {
    switch (random_.below(depth > 0 ? 9 : 6)) {
      case 0:
        return {Value(), json(nullptr)};
      case 1: {
        const bool truth = random_.below(2) == 1;
        return {Value(truth), json(truth)};
      }
      case 2: {
        const auto number =
            static_cast<std::int64_t>(random_.next()) >> static_cast<int>(random_.below(64));
        return {Value(number), json(number)};
      }
      case 3: {
        const std::uint64_t number = random_.next() >> random_.below(64);
        return {Value(number), json(number)};
      }
      case 4: {
        const double number = real();
        return {Value(number), json(number)};
      }
      case 5: {
        const std::string drawn = text();
        return {Value(drawn), json(drawn)};
      }
      case 6:
        return list(depth);
      default:
        return record(depth);
    }
  }

  double real() {
    switch (random_.below(8)) {
      case 0:
        return std::bit_cast<double>(random_.next());  // of any magnitude, or none
      case 1:
        return std::numeric_limits<double>::quiet_NaN();
      case 2:
        return random_.below(2) == 1 ? kInfinity : -kInfinity;
      case 3:
        return random_.below(2) == 1 ? 0.0 : -0.0;
      case 4:
        return static_cast<double>(static_cast<std::int64_t>(random_.next() >> 20)) / 1024;
      case 5:
        return static_cast<double>(static_cast<float>(random_.normal()));
      default:
        return random_.normal() * std::pow(10.0, static_cast<double>(random_.below(40)) - 20);
    }
  }

  std::string text() {
    std::string text;
    for (std::uint64_t left = random_.below(6); left > 0; --left) {
      const std::span<const std::string_view> pieces =
          ill_formed_ && random_.below(4) == 0 ? std::span<const std::string_view>(kIllFormed)
                                               : std::span<const std::string_view>(kPieces);
      text += pieces[random_.below(pieces.size())];
    }
    return text;
  }

 private:
  Both list(int depth) {
    Both both = {Value::list(), json::array()};
    for (std::uint64_t left = random_.below(5); left > 0; --left) {
      Both item = draw(depth - 1);
      both.value.push_back(std::move(item.value));
      both.other.push_back(std::move(item.other));
    }
    return both;
  }

  // Now and then with more fields than are found by going through them.
  Both record(int depth) {
    Both both = {Value::record(), json::object()};
    for (std::uint64_t left = random_.below(random_.below(10) == 0 ? 60 : 6); left > 0; --left) {
      const std::string name = text();
      Both field = draw(depth - 1);
      both.value[name] = std::move(field.value);
      both.other[name] = std::move(field.other);
    }
    return both;
  }

  Random random_;
  bool ill_formed_;
};

std::string nested(Index depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

// What is read from the text, printed again; or nothing.
std::optional<std::string> reprinted(const std::string& text) {
  const std::optional<Value> value = parse_json(text);
  if (!value) return std::nullopt;
  return to_json(*value);
}

std::optional<std::string> reprinted_by_nlohmann(const std::string& text) {
  const json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return std::nullopt;
  return value.dump();
}

TEST(Json, IsPrintedInOneLineWithSortedFields) {
  const Value value = Value::record({{"z", nullptr},
                                     {"a", Value::list({true, -1, 2.0, "x\ny"})},
                                     {"m", Value::record({{"2", 1}, {"1", 2}})},
                                     {"empty", Value::list({Value::list(), Value::record()})}});
  EXPECT_EQ(to_json(value),
            R"({"a":[true,-1,2.0,"x\ny"],"empty":[[],{}],"m":{"1":2,"2":1},"z":null})");
  EXPECT_EQ(to_ordered_json(value),
            R"({"z":null,"a":[true,-1,2.0,"x\ny"],"m":{"2":1,"1":2},"empty":[[],{}]})");
}

TEST(Json, NumbersAreThoseThatReadBackAndNaNIsNull) {
  EXPECT_EQ(to_json(0.1), "0.1");
  EXPECT_EQ(to_json(1.1F), json(1.1F).dump());
  EXPECT_EQ(to_json(100.0), "100.0");
  EXPECT_EQ(to_json(1e22), "1e+22");
  EXPECT_EQ(to_json(-0.0), "-0.0");
  EXPECT_EQ(to_json(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(to_json(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(to_json(kInfinity), "null");
  EXPECT_EQ(to_json(-kInfinity), "null");
  EXPECT_EQ(to_json(std::nan("")), "null");
}

TEST(Json, IsTheTextThatNlohmannsPrinterMakes) {
  RandomValues values(1, /*ill_formed=*/false);
  for (int k = 0; k < kRandomValues; ++k) {
    const Both both = values.draw(4);
    ASSERT_EQ(to_json(both.value), both.other.dump()) << k;
  }
}

TEST(Json, IllFormedTextIsReplacedAsByNlohmannsPrinter) {
  RandomValues values(2, /*ill_formed=*/true);
  for (int k = 0; k < kRandomValues; ++k) {
    const Both both = values.draw(4);
    ASSERT_EQ(to_json(both.value, InvalidText::kReplace),
              both.other.dump(-1, ' ', false, json::error_handler_t::replace))
        << k;
  }
  EXPECT_EQ(to_ordered_json("a\xff", InvalidText::kReplace), "\"a\xef\xbf\xbd\"");
}

TEST(Json, IllFormedTextIsRefusedElse) {
  for (const std::string_view text : kIllFormed) {
    EXPECT_THROW(to_json(text), ValueError);
    EXPECT_THROW(to_json(Value::list({1, text})), ValueError);
    Value record;
    record[text] = 1;
    EXPECT_THROW(to_json(record), ValueError);
    EXPECT_THROW(to_ordered_json(record), ValueError);
  }
}

TEST(Json, WhatIsPrintedIsReadBack) {
  RandomValues values(3, /*ill_formed=*/false);
  for (int k = 0; k < kRandomValues; ++k) {
    const Value value = values.draw(4).value;
    const std::string text = to_json(value);
    const std::optional<Value> again = parse_json(text);
    ASSERT_TRUE(again.has_value()) << text;
    ASSERT_EQ(to_json(*again), text);
    ASSERT_EQ(to_ordered_json(*again), text);  // what is read is sorted
    if (text.find("null") == std::string::npos) {
      ASSERT_EQ(*again, value) << text;
    }
    ASSERT_EQ(reprinted(to_ordered_json(value)), text);
  }
}

TEST(Json, IsReadAsByNlohmannsParser) {
  const std::string texts[] = {"",
                               " ",
                               "null",
                               "nul",
                               "true",
                               "TRUE",
                               "\xef\xbb\xbf[1]",
                               "0",
                               "-0",
                               "00",
                               "01",
                               "1.",
                               ".5",
                               "-",
                               "+1",
                               "1e3",
                               "1E+3",
                               "1e-400",
                               "1e400",
                               "-1e400",
                               "NaN",
                               "Infinity",
                               "9223372036854775807",
                               "9223372036854775808",
                               "18446744073709551615",
                               "18446744073709551616",
                               "-9223372036854775808",
                               "-9223372036854775809",
                               "3.0",
                               "0.1000",
                               " [ 1 , 2 ] ",
                               "[1,]",
                               "[,1]",
                               "[1 2]",
                               "[",
                               "]",
                               "[1]]",
                               "[1] x",
                               "{}",
                               "{\"a\":1}",
                               "{\"a\":1,}",
                               "{a:1}",
                               "{\"a\"}",
                               "{\"a\":}",
                               "{1:2}",
                               "{\"a\":1,\"a\":2}",
                               "{\"b\":1,\"a\":2,\"b\":{}}",
                               "// no\n1",
                               "\"\\u00e9\\n\\/\"",
                               "\"\\ud83c\\udf33\"",
                               "\"\\ud83c\"",
                               "\"\\u12\"",
                               "\"\\x\"",
                               "\"a\nb\"",
                               "\"open",
                               "\"\xff\"",
                               "\"\\u0000\""};
  for (const std::string& text : texts)
    EXPECT_EQ(reprinted(text), reprinted_by_nlohmann(text)) << text;
  EXPECT_EQ(reprinted("{\"b\":1,\"a\":2,\"b\":{}}"), "{\"a\":2,\"b\":{}}");
}

TEST(Json, DamagedTextIsReadAsByNlohmannsParser) {
  RandomValues values(4, /*ill_formed=*/false);
  Random random(5);
  for (int k = 0; k < kRandomValues; ++k) {
    std::string text = to_json(values.draw(3).value);
    const Index at = random.below(text.size());
    if (random.below(2) == 1) {
      text[at] = "[]{},:\"0e-. \\x"[random.below(14)];
    } else {
      text.erase(at, 1 + random.below(3));
    }
    ASSERT_EQ(reprinted(text), reprinted_by_nlohmann(text)) << text;
  }
}

TEST(Json, NestsOnlySoDeep) {
  const Index limit = kMaxJsonNesting;
  EXPECT_EQ(reprinted(nested(limit)), nested(limit));
  EXPECT_FALSE(parse_json(nested(limit + 1)).has_value());
  EXPECT_FALSE(parse_json(nested(1'000'000)).has_value());
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')).has_value());
  std::string records = "1";
  for (Index k = 0; k < limit; ++k) records = "{\"a\":" + records + "}";
  EXPECT_EQ(reprinted(records), records);
  EXPECT_FALSE(parse_json("{\"a\":" + records + "}").has_value());
  // Side by side they may be as many as they like.
  std::string wide = "[[]";
  for (Index k = 0; k < limit; ++k) wide += ",[]";
  EXPECT_TRUE(parse_json(wide + "]").has_value());
}

TEST(Json, NumbersKeepTheirKind) {
  const Value value = parse_json("[1,-1,18446744073709551615,1.0,1e0]").value_or(Value());
  EXPECT_TRUE(value.at(Index{0}).is_count());
  EXPECT_EQ(value.at(1).get<int>(), -1);
  EXPECT_EQ(value.at(2).get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(value.at(3).is_integer());
  EXPECT_FALSE(value.at(4).is_integer());
}

}  // namespace
}  // namespace trellis::json_test
