#include "trellis/solve/polytopes/simplex_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"

namespace trellis {
namespace {

std::vector<double> draw_point(Random& random, Index size, double scale, bool ties) {
  std::vector<double> v(size);
  for (double& value : v) {
    value = scale * (ties ? static_cast<double>(random.below(3)) - 1 : random.normal());
  }
  return v;
}

double sum_of(const std::vector<double>& z) {
  return std::accumulate(z.begin(), z.end(), 0.0);
}

// z is nearest iff z ≥ 0 has the right sum and v − z is the same τ wherever z > 0, and no larger
// elsewhere.
void expect_nearest(const std::vector<double>& v, double r, const std::vector<double>& z) {
  const double rounding = 1e-14 * (r + 1) + 4e-16 * std::abs(*std::max_element(v.begin(), v.end()));
  const double slack = rounding * static_cast<double>(v.size());
  EXPECT_NEAR(sum_of(z), r, 1e-14 * r * static_cast<double>(v.size()));
  double lowest = INFINITY, highest = -INFINITY;
  for (Index i = 0; i < v.size(); ++i) {
    ASSERT_GE(z[i], 0);
    if (z[i] > 0) {
      lowest = std::min(lowest, v[i] - z[i]);
      highest = std::max(highest, v[i] - z[i]);
    }
  }
  EXPECT_LE(highest - lowest, slack);
  for (Index i = 0; i < v.size(); ++i) {
    if (z[i] == 0) {
      EXPECT_LE(v[i], lowest + slack);
    }
  }
}

TEST(SimplexProjection, SatisfiesTheKktConditions) {
  Random random(1);
  std::vector<double> memory;
  for (Index i = 0; i < 3000; ++i) {
    const Index size = 1 + random.below(i % 10 == 0 ? 200 : 8);
    const double scale = std::pow(10.0, static_cast<double>(random.below(13)) - 3);
    const double r = std::pow(10.0, static_cast<double>(random.below(7)) - 3);
    const std::vector<double> v = draw_point(random, size, scale, i % 3 == 0);
    std::vector<double> z(size);
    project_simplex(v, r, z, memory);
    expect_nearest(v, r, z);
    if (HasFailure()) return;
  }
}

TEST(SimplexProjection, HullKeepsWhatIsInsideAndElseFillsTheSum) {
  Random random(2);
  std::vector<double> memory;
  for (Index i = 0; i < 2000; ++i) {
    const Index size = 1 + random.below(8);
    const std::vector<double> v = draw_point(random, size, 1, i % 3 == 0);
    const double r = 0.1 + 4 * random.uniform();
    std::vector<double> z(size);
    project_simplex_hull(v, r, z, memory);
    double positive = 0;
    for (const double value : v) positive += std::max(0.0, value);
    if (positive > r) {
      expect_nearest(v, r, z);
    } else {
      for (Index k = 0; k < size; ++k) EXPECT_EQ(z[k], std::max(0.0, v[k]));
    }
    if (HasFailure()) return;
  }
}

TEST(SimplexProjection, PointsOfTheSimplexStay) {
  std::vector<double> memory, z(4);
  project_simplex(std::vector<double>{0.25, 0.5, 0, 0.25}, 1, z, memory);
  EXPECT_EQ(z, (std::vector<double>{0.25, 0.5, 0, 0.25}));
}

TEST(SimplexProjection, EqualValuesShare) {
  std::vector<double> memory, z(4);
  project_simplex(std::vector<double>{1e9, 1e9, -1e9, 1e9}, 3, z, memory);
  EXPECT_EQ(z, (std::vector<double>{1, 1, 0, 1}));
}

TEST(SimplexProjection, RadiusZeroLeavesNothing) {
  std::vector<double> memory, z(2, 5.0);
  project_simplex(std::vector<double>{3, -1}, 0, z, memory);
  EXPECT_EQ(z, (std::vector<double>{0, 0}));
  project_simplex({}, 0, {}, memory);
}

TEST(SimplexProjection, WorksInPlace) {
  std::vector<double> memory, z = {2, 1.5, -7};
  project_simplex(z, 1, z, memory);
  EXPECT_EQ(z, (std::vector<double>{0.75, 0.25, 0}));
}

}  // namespace
}  // namespace trellis
