// The bisection against all points: what it met is the best corner of their hull, and its bound the
// hull's.
#include "trellis/problem/product_bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::testing {
namespace {

using Point = ProductBisection::Point;
using Answer = ProductBisection::Answer;

double product(const Point& point) {
  return point.c > 0 && point.g > 0 ? point.c * point.g : 0;
}

// The largest product on the hull of all points: on a line between two of them.
double hull_product(const std::vector<Point>& points) {
  double best = 0;
  for (const Point& a : points) {
    for (const Point& b : points) {
      const double dc = b.c - a.c, dg = b.g - a.g;
      const double top = dc * dg < 0 ? -(a.c * dg + a.g * dc) / (2 * dc * dg) : 0;
      for (const double part : {0.0, std::clamp(top, 0.0, 1.0)}) {
        best = std::max(best, product({a.c + part * dc, a.g + part * dg}));
      }
    }
  }
  return best;
}

double best_product(const std::vector<Point>& points) {
  double best = 0;
  for (const Point& point : points) best = std::max(best, product(point));
  return best;
}

// The best point of a g + t c; the first of those that are as good.
Answer best_of(const std::vector<Point>& points, double a, double t) {
  Answer best{points.front(), a * points.front().g + t * points.front().c};
  for (const Point& point : points) {
    if (const double score = a * point.g + t * point.c; score > best.u) best = {point, score};
  }
  return best;
}

// Mistakes cost up to 10; the truth costs 0 and lacks the margin, 1. Coordinates are multiples of
// `grid`, so that many are the same.
std::vector<Point> random_points(double grid, Random& random) {
  std::vector<Point> points = {{0, 1}};
  const Index count = random.below(40);
  const double height = random.uniform() < 0.5 ? 0.3 : 3;
  for (Index k = 0; k < count; ++k) {
    const double c = grid * static_cast<double>(1 + random.below(static_cast<Index>(10 / grid)));
    const double g = grid * std::round((height * random.normal() - 0.3 * c) / grid);
    points.push_back({c, g});
  }
  return points;
}

// How many questions it asked.
Index run(ProductBisection& bisection, const std::vector<Point>& points) {
  bisection.begin(best_of(points, 1, 0), best_of(points, 0, 1));
  Index asked = 0;
  for (; const auto t = bisection.question(); ++asked) {
    bisection.answer(best_of(points, 1, *t));
  }
  return asked;
}

TEST(ProductBisection, MeetsTheBestCornerOfTheHull) {
  ProductBisection bisection;
  Index missed = 0, asked = 0;
  constexpr Index kTrials = 3000;
  for (Index trial = 0; trial < kTrials; ++trial) {
    Random random(1, trial);
    const std::vector<Point> points = random_points(trial % 2 == 0 ? 1e-3 : 0.5, random);
    asked += run(bisection, points);
    const double best = best_product(points), hull = hull_product(points);
    EXPECT_LE(bisection.value(), best);
    EXPECT_GE(bisection.upper(), best * (1 - 1e-9));
    EXPECT_LE(bisection.upper(), hull * (1 + 1e-9) + 1e-12) << "trial " << trial;
    missed += bisection.value() < best * (1 - 1e-9) ? 1 : 0;  // one inside the hull
  }
  EXPECT_GT(missed, 0U);
  EXPECT_LT(missed, kTrials / 5);
  EXPECT_LT(asked, 6 * kTrials);
}

TEST(ProductBisection, FindsWhatIsOnTheHull) {
  // On a circle every point is a corner.
  for (Index trial = 0; trial < 200; ++trial) {
    Random random(2, trial);
    std::vector<Point> points = {{0, 1}};
    for (Index k = 0; k < 30; ++k) {
      const double c = random.uniform();
      points.push_back({c, std::sqrt(1 - c * c)});
    }
    ProductBisection bisection;
    const Index asked = run(bisection, points);
    EXPECT_NEAR(bisection.value(), best_product(points), 1e-12);
    EXPECT_LE(asked, 2 * points.size());
  }
}

TEST(ProductBisection, EnclosesWhereAnswersAreLoose) {
  ProductBisection bisection;
  for (Index trial = 0; trial < 2000; ++trial) {
    Random random(3, trial);
    const std::vector<Point> points = random_points(1e-3, random);
    // Some point among the better ones, and a bound above the best.
    const auto loose = [&](double a, double t) {
      Answer best = best_of(points, a, t);
      const Point& other = points[random.below(points.size())];
      if (a * other.g + t * other.c > best.u - 0.2) best.point = other;
      best.u += 0.1 * random.uniform();
      return best;
    };
    bisection.begin(loose(1, 0), loose(0, 1));
    Index asked = 0;
    for (; const auto t = bisection.question(); ++asked) bisection.answer(loose(1, *t));
    const double best = best_product(points);
    EXPECT_LE(bisection.value(), best);
    EXPECT_GE(bisection.upper(), best * (1 - 1e-9));
    EXPECT_LE(asked, 64U);
  }
}

TEST(ProductBisection, AsksNothingWhereNothingLacks) {
  ProductBisection bisection;
  bisection.begin({{0, 0}, 0}, {{3, -2}, 3});
  EXPECT_FALSE(bisection.question());
  EXPECT_EQ(bisection.upper(), 0);
  bisection.begin({{0, 1}, 1}, {{0, 1}, 0});  // nothing costs
  EXPECT_FALSE(bisection.question());
  EXPECT_EQ(bisection.upper(), 0);
  bisection.begin({{3, 1}, 1}, {{3, 1}, 3});  // one output has the most of both
  EXPECT_FALSE(bisection.question());
  EXPECT_EQ(bisection.value(), 3);
  EXPECT_EQ(bisection.upper(), 3);
}

}  // namespace
}  // namespace trellis::testing
