// Which settings an automatic choice tries: for every curve on a grid the walk finds its peak, as
// long as there is one, and pays for no more than it must.
#include "trellis/frame/training/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "trellis/fit/dials.h"

namespace trellis {
namespace {

Path path_of(const std::string& name, const std::vector<double>& values) {
  Path path;
  for (const double value : values) {
    LearnerChoice setting;
    setting.learner = LearnerKind::kLbfgs;
    dial(name).set(setting.values, value);
    path.push_back(setting);
  }
  return path;
}

std::vector<double> tried(Walk& walk, const std::string& name,
                          const std::function<double(double)>& figure) {
  std::vector<double> values;
  while (const auto k = walk.next()) {
    values.push_back(dial(name).number(walk.settings()[*k].values));
    walk.judge(figure(values.back()));
  }
  return values;
}

const std::vector<double> kGrid = {0.01, 0.1, 1, 10, 100};

// The higher, the nearer the value is to the peak, by orders of magnitude.
std::function<double(double)> peak_at(double peak) {
  return [=](double value) { return -std::abs(std::log10(value / peak)); };
}

TEST(Walk, TriesEveryValueOfAList) {
  Walk walk(path_of("c", kGrid));
  EXPECT_EQ(tried(walk, "c", peak_at(0.01)), kGrid);
}

TEST(Walk, EndsBehindItsPeak) {
  Walk walk(path_of("c", kGrid), "c");
  EXPECT_EQ(tried(walk, "c", peak_at(0.1)), (std::vector<double>{0.01, 0.1, 1, 10}));
  EXPECT_EQ(walk.values(), (std::vector<double>{0.01, 0.1, 1, 10}));
}

TEST(Walk, GoesOnWhereTheBestIsTheWeakest) {
  Walk walk(path_of("c", kGrid), "c");
  EXPECT_EQ(tried(walk, "c", peak_at(1000)),
            (std::vector<double>{0.01, 0.1, 1, 10, 100, 1000, 1e4}));
}

TEST(Walk, GoesOnWhereTheBestIsTheStrongest) {
  Walk walk(path_of("c", {1, 10, 100, 1000}), "c");
  const std::vector<double> values = tried(walk, "c", peak_at(0.1));
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(values, (std::vector<double>{1, 10, 100, 0.1, 0.01}));
  EXPECT_EQ(walk.values(), (std::vector<double>{0.01, 0.1, 1, 10, 100}));
  EXPECT_FALSE(walk.follows(0));
  EXPECT_TRUE(walk.follows(2));
  EXPECT_FALSE(walk.follows(3));  // 0.1 is stronger than the 100 before it
}

TEST(Walk, OfLambdaFallsFromStrongToWeak) {
  Walk walk(path_of("lambda", {10, 1, 0.1}), "lambda");
  EXPECT_EQ(tried(walk, "lambda", peak_at(0.1)), (std::vector<double>{10, 1, 0.1, 0.1 * 0.1}));
  Walk strong(path_of("lambda", {10, 1, 0.1}), "lambda");
  EXPECT_EQ(tried(strong, "lambda", peak_at(1000)),
            (std::vector<double>{10, 1, 0.1, 100, 1000, 10000}));
  EXPECT_EQ(strong.values(), (std::vector<double>{10000, 1000, 100, 10, 1, 0.1}));
}

TEST(Walk, ComesToAnEndHoweverFarThePeakIs) {
  Walk weak(path_of("c", kGrid), "c");
  EXPECT_EQ(tried(weak, "c", peak_at(1e30)).size(), kGrid.size() + 4);
  Walk strong(path_of("c", kGrid), "c");
  EXPECT_LE(tried(strong, "c", peak_at(1e-30)).size(), kGrid.size() + 4);
}

TEST(Walk, FiguresThatAreNoneAreNeverTheBest) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Walk walk(path_of("c", kGrid), "c");
  EXPECT_EQ(tried(walk, "c", [&](double value) { return value < 1 ? none : -value; }),
            (std::vector<double>{0.01, 0.1, 1, 10, 100}));
  Walk nothing(path_of("c", kGrid), "c");
  EXPECT_LE(tried(nothing, "c", [&](double) { return none; }).size(), kGrid.size() + 4);
}

TEST(Walk, AMomentaryFallDoesNotEndIt) {
  Walk walk(path_of("c", kGrid), "c");
  const auto figure = [](double value) { return value == 0.1 ? -100 : std::log10(value); };
  EXPECT_EQ(tried(walk, "c", figure).size(), kGrid.size() + 4);
}

TEST(Walk, ASinglePeakCountsOnlyAsFarAsANeighbourSharesIt) {
  Walk walk(path_of("c", kGrid));
  for (const double figure : {0.9, 0.1, 0.7, 0.8, 0.6}) walk.judge(figure);
  EXPECT_EQ(walk.best(), 3U);
  EXPECT_DOUBLE_EQ(walk.smoothed(0), (0.9 + 0.1 / 2) / 1.5);
  EXPECT_DOUBLE_EQ(walk.smoothed(3), (0.8 + 0.7 / 2) / 1.5);
  Walk alone(path_of("c", {1}));
  alone.judge(0.9);
  EXPECT_EQ(alone.smoothed(0), 0.9);
}

TEST(Walk, NeighboursAreThoseOfTheOrderFromStrongToWeak) {
  Walk walk(path_of("c", {1, 10, 100}), "c");
  std::map<double, double> figures;
  const auto figure = [&](double value) { return figures[value] = peak_at(0.1)(value); };
  tried(walk, "c", figure);
  const std::vector<double> values = walk.values();
  const std::vector<Index> order = walk.order();
  ASSERT_EQ(values.size(), order.size());
  EXPECT_EQ(values[walk.best()], 0.1);
  for (Index place = 0; place < order.size(); ++place) {
    EXPECT_EQ(values[place], dial("c").number(walk.settings()[order[place]].values));
  }
}

TEST(Walk, EndsBeforeASettingThatIsLikelyToCostTooMuch) {
  WalkLimits limits;
  limits.work = 10;
  limits.first_work = 5;
  Walk walk(path_of("c", kGrid), "c", 2, limits);
  for (const double work : {1.0, 2.0, 1.0}) {
    ASSERT_TRUE(walk.next());
    EXPECT_FALSE(walk.out_of_work());
    walk.judge(walk.work(), work);
  }
  EXPECT_EQ(walk.work(), 4);
  ASSERT_TRUE(walk.next());
  walk.judge(9, 2.5);  // 6.5 and three times 2.5 are more than 10
  EXPECT_FALSE(walk.next());
  EXPECT_TRUE(walk.out_of_work());
  limits.first_work = 11;
  EXPECT_FALSE(Walk(path_of("c", kGrid), "c", 2, limits).next());
}

TEST(Walk, EndsWhereItIsHopeless) {
  WalkLimits limits;
  limits.hopeless = 0.1;
  limits.best_before = 0.8;
  Walk walk(path_of("c", kGrid), "c", 2, limits);
  for (const double figure : {0.75, 0.9, 0.79}) {
    ASSERT_TRUE(walk.next());
    walk.judge(figure);
  }
  EXPECT_FALSE(walk.next());
  EXPECT_FALSE(walk.out_of_work());
}

TEST(Walk, CanBeginWithAnotherValue) {
  Walk walk(beginning_at(0.5, path_of("c", kGrid), "c"), "c");
  EXPECT_EQ(tried(walk, "c", peak_at(5)), (std::vector<double>{0.5, 5, 50}));
}

}  // namespace
}  // namespace trellis
