#include "trellis/solve/polytopes/oracle_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/polytopes/simplex_projection.h"

namespace trellis {
namespace {

using Point = std::vector<double>;

Point draw_point(Index size, double scale, Random& random) {
  Point point(size);
  for (double& value : point) value = scale * random.normal();
  return point;
}

double best_corner(std::span<const double> s, std::span<double> z) {
  std::fill(z.begin(), z.end(), 0.0);
  const auto best = std::max_element(s.begin(), s.end());
  z[static_cast<Index>(best - s.begin())] = 1;
  return *best;
}

double best_of_cube(std::span<const double> s, std::span<double> z) {
  double value = 0;
  for (Index p = 0; p < s.size(); ++p) {
    z[p] = s[p] > 0 ? 1 : 0;
    value += s[p] * z[p];
  }
  return value;
}

double half_square(const Point& a, const Point& b) {
  double sum = 0;
  for (Index p = 0; p < a.size(); ++p) sum += (a[p] - b[p]) * (a[p] - b[p]) / 2;
  return sum;
}

TEST(OracleProjection, OfSimplicesIsThatBySorting) {
  Random random(1);
  OracleProjectionScratch scratch;
  Point memory;
  for (Index trial = 0; trial < 300; ++trial) {
    const Index size = 1 + random.below(30);
    for (const double scale : {0.01, 0.3, 3.0, 1e6}) {
      const Point v = draw_point(size, scale, random);
      Point z(size), expected(size);
      const ProjectionResult result = oracle_projection(v, best_corner, scratch, z);
      EXPECT_EQ(result.status, ProjectionStatus::kOptimal);
      EXPECT_LE(scratch.num_active(), size);
      project_simplex(v, 1, expected, memory);
      for (Index p = 0; p < size; ++p) EXPECT_NEAR(z[p], expected[p], 1e-12 * std::max(1.0, scale));
    }
  }
}

TEST(OracleProjection, OfCubesCutsCoordinates) {
  Random random(2);
  OracleProjectionScratch scratch;
  for (Index trial = 0; trial < 100; ++trial) {
    const Point v = draw_point(1 + random.below(15), 1, random);
    Point z(v.size());
    EXPECT_EQ(oracle_projection(v, best_of_cube, scratch, z).status, ProjectionStatus::kOptimal);
    for (Index p = 0; p < v.size(); ++p) EXPECT_NEAR(z[p], std::clamp(v[p], 0.0, 1.0), 1e-12);
  }
}

// The gap is an upper bound of what is left to gain, at every step.
TEST(OracleProjection, EachStepProvesItsDistance) {
  Random random(3);
  OracleProjectionScratch scratch;
  Point memory;
  for (Index trial = 0; trial < 50; ++trial) {
    const Index size = 2 + random.below(12);
    const Point v = draw_point(size, 0.3, random);
    Point nearest(size);
    project_simplex(v, 1, nearest, memory);
    const double least = half_square(nearest, v);
    scratch.begin(v);
    ProjectionResult result;
    double before = kInfinity;
    for (bool on = true; on;) {
      best_corner(scratch.direction(), scratch.vertex());
      const Point point(scratch.point().begin(), scratch.point().end());
      const bool any = scratch.num_active() > 0;
      on = scratch.advance(result);
      if (!any) continue;
      const double distance = half_square(point, v);
      EXPECT_LE(distance - least, scratch.gap() + 1e-15);
      EXPECT_LE(distance, before + 1e-15);
      before = distance;
    }
    EXPECT_NEAR(before, least, 1e-14);
  }
}

TEST(OracleProjection, NothingIsNearestWhereThereIsNothing) {
  OracleProjectionScratch scratch;
  Point z = {1, 2};
  const auto nothing = [](std::span<const double>, std::span<double>) { return -kInfinity; };
  EXPECT_EQ(oracle_projection(Point{3, 4}, nothing, scratch, z).status, ProjectionStatus::kEmpty);
  EXPECT_EQ(z, Point(2, 0.0));
}

TEST(OracleProjection, MayOverwriteWhatItProjects) {
  OracleProjectionScratch scratch;
  Point v = {0.9, 0.5, -3};
  oracle_projection(v, best_corner, scratch, v);
  EXPECT_NEAR(v[0], 0.7, 1e-15);
  EXPECT_NEAR(v[1], 0.3, 1e-15);
  EXPECT_EQ(v[2], 0);
}

}  // namespace
}  // namespace trellis
