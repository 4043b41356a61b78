#include "trellis/oracle/oracle.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace trellis {
namespace {

// Who promises what. A learner asks for a promise by type, so these are what it can rely on.
static_assert(std::is_convertible_v<const HingeOracle&, const ConvexOracle&>);
static_assert(std::is_convertible_v<const KBestOracle&, const HingeOracle&>);
static_assert(std::is_convertible_v<const SmoothConvexOracle&, const ConvexOracle&>);
static_assert(std::is_convertible_v<const SmoothConvexOracle&, const SmoothOracle&>);
static_assert(!std::is_convertible_v<const SmoothOracle&, const ConvexOracle&>);
// Cuts that need not touch are no convex losses that can be evaluated, however they are found.
static_assert(std::is_convertible_v<const ConvexOracle&, const CutOracle&>);
static_assert(std::is_convertible_v<const SearchOracle&, const CutOracle&>);
static_assert(std::is_convertible_v<const HingeOracle&, const SearchOracle&>);
static_assert(!std::is_convertible_v<const CutOracle&, const ConvexOracle&>);
static_assert(!std::is_convertible_v<const SearchOracle&, const ConvexOracle&>);
static_assert(!std::is_convertible_v<const SearchOracle&, const HingeOracle&>);
static_assert(!std::is_convertible_v<const SmoothOracle&, const CutOracle&>);
static_assert(!std::is_convertible_v<const UpperBoundOracle&, const CutOracle&>);
static_assert(!std::is_convertible_v<const ConvexOracle&, const SearchOracle&>);
static_assert(!std::is_convertible_v<const HingeOracle&, const SmoothOracle&>);
// One Oracle below both promises, not two.
static_assert(std::is_convertible_v<const SmoothConvexOracle&, const Oracle&>);

TEST(Cut, ValueIsOffsetPlusSlope) {
  Cut cut;
  cut.offset = 2;
  EXPECT_EQ(cut.value(std::vector<double>{7, 7, 7}), 2);
  cut.slope.append(1, 2)[0] = 3;
  EXPECT_EQ(cut.value(std::vector<double>{7, 10, 100}), 32);
}

}  // namespace
}  // namespace trellis
