#include "trellis/pictures/markup/number.h"

#include <gtest/gtest.h>

#include <limits>
#include <locale>
#include <string>

namespace trellis::report::number_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Number, CountsAreGroupedByThree) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1\u202F000");
  EXPECT_EQ(format_count(1234567), "1\u202F234\u202F567");
}

TEST(Number, FixedRoundsToDecimals) {
  EXPECT_EQ(format_fixed(93.6149, 2), "93.61");
  EXPECT_EQ(format_fixed(-1.5, 2), "−1.50");
  EXPECT_EQ(format_fixed(-0.001, 2), "0.00");
  EXPECT_EQ(format_fixed(-0.0, 0), "0");
}

TEST(Number, SharesArePercent) {
  EXPECT_EQ(format_percent(0.936149), "93.61");
  EXPECT_EQ(format_percent(1), "100.00");
  EXPECT_EQ(format_percent(kNaN), "–");
}

TEST(Number, SignificantDropsTrailingZeros) {
  EXPECT_EQ(format_significant(0, 4), "0");
  EXPECT_EQ(format_significant(1.5, 4), "1.5");
  EXPECT_EQ(format_significant(0.000123456, 3), "0.000123");
  EXPECT_EQ(format_significant(123456, 3), "123456");
  EXPECT_EQ(format_significant(1.25e9, 3), "1.25e9");
  EXPECT_EQ(format_significant(-1e-300, 3), "−1e−300");
}

TEST(Number, WhatIsNoNumberIsSaidSo) {
  EXPECT_EQ(format_fixed(kNaN, 2), "–");
  EXPECT_EQ(format_significant(kNaN, 2), "–");
  EXPECT_EQ(format_fixed(kInfinity, 2), "∞");
  EXPECT_EQ(format_significant(-kInfinity, 2), "−∞");
  EXPECT_EQ(format_seconds(kNaN), "–");
}

TEST(Number, HugeNumbersStayShort) {
  const double huge = std::numeric_limits<double>::max();
  EXPECT_LT(format_fixed(huge, 2).size(), 20U);
  EXPECT_LT(format_fixed(-huge, 2).size(), 20U);
  EXPECT_LT(format_seconds(huge).size(), 20U);
}

TEST(Number, SecondsTakeTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0.8439), "0.84 s");
  EXPECT_EQ(format_seconds(78.4), "78 s");
  EXPECT_EQ(format_seconds(185), "3 min 05 s");
  EXPECT_EQ(format_seconds(7800), "2 h 10 min");
}

class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Number, TheLocaleChangesNothing) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_EQ(format_fixed(1234.5, 2), "1234.50");
  EXPECT_EQ(format_significant(0.25, 2), "0.25");
  EXPECT_EQ(format_count(1234), "1\u202F234");
  std::locale::global(before);
}

TEST(Number, SmallNumbersGetMoreDecimals) {
  EXPECT_EQ(decimals_for(93), 2);
  EXPECT_EQ(decimals_for(0.1), 2);
  EXPECT_EQ(decimals_for(0.0134), 4);
  EXPECT_EQ(decimals_for(0.009), 5);
  EXPECT_EQ(decimals_for(1e-30), 12);
  EXPECT_EQ(decimals_for(0), 2);
}

}  // namespace
}  // namespace trellis::report::number_test
