#include "trellis/solve/measures/set_measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"

namespace trellis {
namespace {

using Kind = SetMeasure::Kind;
constexpr Kind kKinds[] = {Kind::kFBeta, Kind::kPrecision, Kind::kRecall, Kind::kHamming};

TEST(SetMeasure, FollowsItsDefinition) {
  const SetCounts counts{2, 5, 4, 10};  // h, k, p, V
  EXPECT_DOUBLE_EQ((SetMeasure{Kind::kFBeta, 1}.score(counts)), 2 * 2.0 / (4 + 5));
  EXPECT_DOUBLE_EQ((SetMeasure{Kind::kFBeta, 2}.score(counts)), 5 * 2.0 / (4 * 4 + 5));
  EXPECT_DOUBLE_EQ((SetMeasure{Kind::kPrecision}.score(counts)), 2.0 / 5);
  EXPECT_DOUBLE_EQ((SetMeasure{Kind::kRecall}.score(counts)), 2.0 / 4);
  EXPECT_DOUBLE_EQ((SetMeasure{Kind::kHamming}.score(counts)), 1 - 5.0 / 10);
}

TEST(SetMeasure, LossIsExactlyZeroForTheTruthAndWithinZeroAndOneElsewhere) {
  for (const Kind kind : kKinds) {
    for (const double beta : {0.01, 0.1, 0.3, 1.0, 7.0, 100.0}) {
      const SetMeasure measure{kind, beta};
      for (Index p = 0; p <= 12; ++p) {
        EXPECT_EQ(measure.loss({p, p, p, 12}), 0);
        for (Index k = 0; k <= 12; ++k) {
          for (Index h = p + k > 12 ? p + k - 12 : 0; h <= std::min(p, k); ++h) {
            const double loss = measure.loss({h, k, p, 12});
            EXPECT_GE(loss, 0);
            EXPECT_LE(loss, 1);
            if (h < p && h < k) {
              EXPECT_GT(loss, 0);
            }
          }
        }
      }
    }
  }
}

TEST(SetMeasure, EmptySetsFollowTheConvention) {
  for (const Kind kind : {Kind::kFBeta, Kind::kPrecision, Kind::kRecall}) {
    const SetMeasure measure{kind};
    EXPECT_EQ(measure.score({0, 0, 0, 9}), 1);
    EXPECT_EQ(measure.score({0, 3, 0, 9}), 0);
    EXPECT_EQ(measure.score({0, 0, 3, 9}), 0);
  }
  EXPECT_EQ((SetMeasure{Kind::kHamming}.score({0, 0, 0, 0})), 1);
}

TEST(SetMeasure, BetaMustBeAPositiveNumber) {
  for (const double beta : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((SetMeasure{Kind::kFBeta, beta}.validate()), UsageError);
  }
  EXPECT_NO_THROW((SetMeasure{Kind::kFBeta, 0.01}.validate()));
  EXPECT_NO_THROW((SetMeasure{Kind::kRecall, 0}.validate()));
}

}  // namespace
}  // namespace trellis
