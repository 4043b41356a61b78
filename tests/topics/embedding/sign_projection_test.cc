#include "trellis/topics/embedding/sign_projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::sign_projection_test {
namespace {

double squared_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double total = 0;
  for (Index i = 0; i < a.size(); ++i) {
    total += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  }
  return total;
}

TEST(SignProjection, DistancesAreNearlyKept) {
  constexpr Index kDimensions = 900, kDirections = 256;
  const SignProjection projection(kDimensions, kDirections, 1);
  Random random(2);
  double mean = 0;
  constexpr Index kPairs = 50;
  for (Index pair = 0; pair < kPairs; ++pair) {
    // Peaked, as mixtures are: most of the length is in a coordinate.
    std::vector<float> a(kDimensions), b(kDimensions), pa(kDirections), pb(kDirections);
    for (Index i = 0; i < kDimensions; ++i) {
      a[i] = 0.01F * static_cast<float>(random.uniform());
      b[i] = 0.01F * static_cast<float>(random.uniform());
    }
    a[random.below(kDimensions)] = 1;
    b[random.below(kDimensions)] = 1;
    projection.project(a, pa);
    projection.project(b, pb);
    const double ratio = squared_distance(pa, pb) / squared_distance(a, b);
    EXPECT_NEAR(ratio, 1, 5 * std::sqrt(2.0 / kDirections));
    mean += ratio / kPairs;
  }
  EXPECT_NEAR(mean, 1, 5 * std::sqrt(2.0 / kDirections / kPairs));
}

}  // namespace
}  // namespace trellis::topics::sign_projection_test
