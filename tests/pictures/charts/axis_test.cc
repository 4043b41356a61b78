#include "trellis/pictures/charts/axis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trellis::report {
namespace {

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks()) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST(Axis, TicksAreRound) {
  EXPECT_EQ(labels_of(Axis(77.3, 89.6, Scale::kLinear, 5)), (Labels{"75", "80", "85", "90"}));
  EXPECT_EQ(labels_of(Axis(0, 1, Scale::kLinear, 5)),
            (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels_of(Axis(-3, 2, Scale::kLinear, 3)), (Labels{"−4", "−2", "0", "2"}));
}

TEST(Axis, IntegerTicksNeverFallBetweenIntegers) {
  EXPECT_EQ(labels_of(Axis(1, 3, Scale::kInteger, 6)), (Labels{"1", "2", "3"}));
  EXPECT_EQ(labels_of(Axis(7, 7, Scale::kInteger, 6)), (Labels{"6", "7", "8"}));
}

TEST(Axis, LogTicksArePowersOfTen) {
  EXPECT_EQ(labels_of(Axis(0.003, 40, Scale::kLog, 6)),
            (Labels{"0.001", "0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(labels_of(Axis(2, 8, Scale::kLog, 6)), (Labels{"2", "5", "10"}));
}

TEST(Axis, ALogAxisOfManyDecadesTicksAtSomeOfThem) {
  const Axis axis(1e-12, 1e9, Scale::kLog, 5);
  EXPECT_EQ(labels_of(axis), (Labels{"1e−12", "1e−7", "0.01", "1000", "1e8"}));
  EXPECT_LE(axis.position(1e9), 1);
}

TEST(Axis, WhatHasNoPlaceIsNotDrawable) {
  EXPECT_FALSE(drawable(std::nan(""), Scale::kLinear));
  EXPECT_FALSE(drawable(HUGE_VAL, Scale::kLinear));
  EXPECT_FALSE(drawable(1.7e308, Scale::kLinear));
  EXPECT_TRUE(drawable(-1, Scale::kLinear));
  EXPECT_FALSE(drawable(0, Scale::kLog));
  EXPECT_FALSE(drawable(-1, Scale::kLog));
}

double any_size(Scale scale) {
  const double mantissa = *rc::gen::inRange(-1000, 1001) / 1000.0;
  const double x = mantissa * std::pow(10.0, *rc::gen::inRange(-320, 300));
  if (scale != Scale::kLog) return x;
  return std::max(std::abs(x), 1 / kDrawable);
}

RC_GTEST_PROP(Axis, CoversTheDataWithAFewRisingTicks, ()) {
  const Scale scale = *rc::gen::element(Scale::kLinear, Scale::kInteger, Scale::kLog);
  const double a = any_size(scale);
  const double b = *rc::gen::arbitrary<bool>() ? any_size(scale) : a * (1 + 1e-12);
  const Axis axis(std::min(a, b), std::max(a, b), scale, 5);
  const double slack = 1e-6;
  for (const double x : {a, b}) {
    RC_ASSERT(axis.position(x) >= -slack);
    RC_ASSERT(axis.position(x) <= 1 + slack);
  }
  RC_ASSERT(axis.ticks().size() >= 2U);
  RC_ASSERT(axis.ticks().size() <= 12U);
  for (std::size_t i = 1; i < axis.ticks().size(); ++i) {
    RC_ASSERT(axis.ticks()[i].value > axis.ticks()[i - 1].value);
  }
}

}  // namespace
}  // namespace trellis::report
