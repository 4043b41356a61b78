#include "trellis/data/weight_table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace trellis {
namespace {

TEST(WeightTable, KnowsWhatWasPutIntoItAndLittleElse) {
  WeightTable table(1000);
  const auto fp = [](std::uint64_t k) { return k * 0x9E3779B97F4A7C15u ^ k << 40; };
  for (std::uint32_t k = 1; k <= 1000; ++k) table.insert(fp(k), k);
  const WeightView view(table.slots(), "m");
  for (std::uint32_t k = 1; k <= 1000; ++k) {
    EXPECT_TRUE(view.may_know(fp(k)));
    EXPECT_EQ(view.find(fp(k)), k);
  }
  Index mistaken = 0;
  for (std::uint32_t k = 1001; k <= 11000; ++k) {
    EXPECT_EQ(view.find(fp(k)), WeightView::kNone);
    mistaken += view.may_know(fp(k)) ? 1 : 0;
  }
  EXPECT_LT(mistaken, 3000);
  EXPECT_EQ(WeightView().find(5), WeightView::kNone);
  EXPECT_FALSE(WeightView().may_know(5));
}

}  // namespace
}  // namespace trellis
