#include "trellis/topics/embedding/topic_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/embedding/leading_axes.h"

namespace trellis::topics::topic_map_test {
namespace {

double squared_distance(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

TEST(JensenShannon, IsItsDefinition) {
  const std::vector<double> p = {0.5, 0.5, 0}, q = {0, 0.25, 0.75};
  const auto kl = [](double a, double b) { return a == 0 ? 0 : a * std::log(a / b); };
  double expected = 0;
  for (Index i = 0; i < 3; ++i) {
    const double m = (p[i] + q[i]) / 2;
    expected += (kl(p[i], m) + kl(q[i], m)) / 2;
  }
  EXPECT_NEAR(jensen_shannon(p, q), expected, 1e-14);
  EXPECT_EQ(jensen_shannon(p, p), 0);
  const std::vector<double> here = {1, 0}, there = {0, 1};
  EXPECT_NEAR(jensen_shannon(here, there), std::log(2), 1e-14);
}

TEST(ClassicalScaling, FindsPlacesOfAPlaneAgain) {
  Random random(1);
  std::vector<Point> places(40);
  for (Point& place : places) place = {3 * random.normal(), random.normal()};
  std::vector<double> table;
  for (const Point& a : places) {
    for (const Point& b : places) table.push_back(squared_distance(a, b));
  }
  const std::vector<Point> found = classical_scaling(table, places.size());
  for (Index i = 0; i < places.size(); ++i) {
    for (Index j = 0; j < places.size(); ++j) {
      EXPECT_NEAR(squared_distance(found[i], found[j]), table[i * places.size() + j], 1e-6);
    }
  }
}

TEST(ClassicalScaling, FewTopicsHavePlaces) {
  EXPECT_TRUE(classical_scaling({}, 0).empty());
  EXPECT_EQ(classical_scaling(std::vector<double>{0}, 1).size(), 1U);
  const std::vector<Point> two = classical_scaling(std::vector<double>{0, 4, 4, 0}, 2);
  EXPECT_NEAR(squared_distance(two[0], two[1]), 4, 1e-9);
  EXPECT_THROW(classical_scaling(std::vector<double>{0, 1}, 2), UsageError);
}

TEST(TopicMap, AlikeTopicsLieTogether) {
  const std::vector<double> topics = {0.5,  0.5,  0, 0,  //
                                      0.45, 0.55, 0, 0,  //
                                      0,    0,    1, 0};
  const std::vector<Point> places = topic_map(topics, 4, 1);
  EXPECT_LT(squared_distance(places[0], places[1]), 0.1 * squared_distance(places[0], places[2]));
  const std::vector<Point> again = topic_map(topics, 4, 2);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(places[k].x, again[k].x);
  EXPECT_THROW(topic_map(topics, 5, 1), UsageError);
}

TEST(LeadingAxes, AreEigenvectors) {
  // A = Q diag(9, 4, 1, …) Qᵀ with Q of one reflection.
  const Index n = 12;
  std::vector<double> u(n), values(n, 0.1);
  Random random(3);
  double squares = 0;
  for (double& x : u) {
    x = random.normal();
    squares += x * x;
  }
  for (double& x : u) x /= std::sqrt(squares);
  values[0] = 9;
  values[1] = 4;
  values[2] = 1;
  const auto reflect = [&](std::vector<double> v) {
    double along = 0;
    for (Index i = 0; i < n; ++i) along += u[i] * v[i];
    for (Index i = 0; i < n; ++i) v[i] -= 2 * along * u[i];
    return v;
  };
  const auto multiply = [&](std::span<const double> v, std::span<double> out) {
    std::vector<double> turned = reflect({v.begin(), v.end()});
    for (Index i = 0; i < n; ++i) turned[i] *= values[i];
    turned = reflect(turned);
    std::copy(turned.begin(), turned.end(), out.begin());
  };
  const LeadingAxes axes = leading_axes(n, 2, 60, multiply);
  EXPECT_NEAR(axes.values[0], 9, 1e-9);
  EXPECT_NEAR(axes.values[1], 4, 1e-9);
  for (Index axis = 0; axis < 2; ++axis) {
    std::vector<double> product(n);
    multiply(axes.vectors[axis], product);
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(product[i], axes.values[axis] * axes.vectors[axis][i], 1e-7);
    }
  }
}

}  // namespace
}  // namespace trellis::topics::topic_map_test
