#include "trellis/solve/polytopes/nearest_mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

using Points = std::vector<std::vector<double>>;

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (Index j = 0; j < x.size(); ++j) sum += x[j] * y[j];
  return sum;
}

BestVertex best_of(const Points& points) {
  return [&points](std::span<const double> direction, std::span<double> z) {
    const auto best = std::max_element(
        points.begin(), points.end(),
        [&](const auto& p, const auto& q) { return dot(direction, p) < dot(direction, q); });
    std::copy(best->begin(), best->end(), z.begin());
  };
}

// The nearest point x to v has ⟨v − x, p − x⟩ ≤ 0 for every vertex p.
void expect_nearest(const Points& points, const std::vector<double>& v, double tolerance) {
  const NearestMix mix = nearest_mix(v, best_of(points));
  double square = 0;
  for (Index j = 0; j < v.size(); ++j) square += std::pow(v[j] - mix.point[j], 2);
  EXPECT_NEAR(mix.distance, std::sqrt(square), 1e-12);
  for (const std::vector<double>& p : points) {
    double angle = 0;
    for (Index j = 0; j < v.size(); ++j) angle += (v[j] - mix.point[j]) * (p[j] - mix.point[j]);
    EXPECT_LE(angle, tolerance);
  }
  EXPECT_LE(mix.num_vertices, v.size() + 1);
}

TEST(NearestMix, MeetsTheConditionsOfAProjection) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Index dimension = 1 + random.below(6);
    Points points(1 + random.below(20), std::vector<double>(dimension));
    for (auto& p : points) {
      for (double& x : p) x = trial % 2 == 0 ? random.normal() : double(random.below(2));
    }
    std::vector<double> v(dimension);
    for (double& x : v) x = 2 * random.normal();
    expect_nearest(points, v, 1e-10);
  }
}

// Many vertices come and go, each of which changes the factor of the linear system.
TEST(NearestMix, MeetsTheConditionsInManyDimensions) {
  Random random(4);
  for (const Index dimension : {20, 60}) {
    Points points(4 * dimension, std::vector<double>(dimension));
    for (auto& p : points) {
      for (double& x : p) x = random.normal();
    }
    std::vector<double> inside(dimension, 0.0), outside(dimension);
    for (const auto& p : points) {
      for (Index j = 0; j < dimension; ++j) {
        inside[j] += p[j] / static_cast<double>(points.size());
      }
    }
    for (double& x : outside) x = random.normal();
    EXPECT_LT(nearest_mix(inside, best_of(points)).distance, 1e-9);
    expect_nearest(points, outside, 1e-9);
  }
}

TEST(NearestMix, SaysWhereTheLimitEndedIt) {
  Random random(6);
  Points points(200, std::vector<double>(40));
  for (auto& p : points) {
    for (double& x : p) x = random.normal();
  }
  const std::vector<double> v(40, 0.1);
  EXPECT_FALSE(nearest_mix(v, best_of(points)).limited);
  const NearestMix mix = nearest_mix(v, best_of(points), 100);
  EXPECT_TRUE(mix.limited);
  EXPECT_GT(mix.distance, nearest_mix(v, best_of(points)).distance);
}

TEST(NearestMix, AMixtureIsItsOwnNearestPoint) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Index dimension = 2 + random.below(8);
    Points points(2 + random.below(12), std::vector<double>(dimension));
    std::vector<double> v(dimension, 0.0);
    double total = 0;
    for (auto& p : points) {
      const double weight = random.uniform();
      total += weight;
      for (Index j = 0; j < dimension; ++j) {
        p[j] = double(random.below(2));
        v[j] += weight * p[j];
      }
    }
    for (double& x : v) x /= total;
    EXPECT_LT(nearest_mix(v, best_of(points)).distance, 1e-9);
  }
}

TEST(NearestMix, OneVertexIsAllThereIs) {
  const Points points = {{1, 2, 3}};
  const NearestMix mix = nearest_mix(std::vector<double>{0, 0, 0}, best_of(points));
  EXPECT_EQ(mix.point, points[0]);
  EXPECT_EQ(mix.num_vertices, 1U);
}

}  // namespace
}  // namespace trellis
