#include "trellis/solve/factors/factor_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/base/random.h"

namespace trellis {
namespace {

TEST(FactorFit, APairHasTheMarginalsAskedFor) {
  Random random(1);
  for (Index trial = 0; trial < 2000; ++trial) {
    const double a = 0.001 + 0.998 * random.uniform(), b = 0.001 + 0.998 * random.uniform();
    const double both = 12 * random.normal();
    const PairScores scores = fit_pair(a, b, both);
    const double top = std::max({0.0, scores.a, scores.b, scores.a + scores.b + both});
    const double none = std::exp(-top), only_a = std::exp(scores.a - top),
                 only_b = std::exp(scores.b - top),
                 two = std::exp(scores.a + scores.b + both - top);
    const double total = none + only_a + only_b + two;
    EXPECT_NEAR((only_a + two) / total, a, 1e-6) << a << " " << b << " " << both;
    EXPECT_NEAR((only_b + two) / total, b, 1e-6) << a << " " << b << " " << both;
  }
}

TEST(FactorFit, LargeScoresGiveFiniteOnes) {
  for (const double both : {-1e9, -1e3, 1e3, 1e9}) {
    for (const double a : {1e-8, 0.3, 1 - 1e-8}) {
      for (const double b : {1e-8, 0.3, 1 - 1e-8}) {
        const PairScores scores = fit_pair(a, b, both);
        EXPECT_TRUE(std::isfinite(scores.a) && std::isfinite(scores.b));
      }
    }
  }
}

}  // namespace
}  // namespace trellis
