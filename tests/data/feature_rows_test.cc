#include "trellis/data/feature_rows.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis {
namespace {

using Row = std::vector<std::pair<Index, double>>;

Row visited(const FeatureRows& rows, Index r) {
  Row row;
  rows.for_each(r, [&](Index k, double x) { row.emplace_back(k, x); });
  return row;
}

FeatureRows three_rows(bool dense) {
  FeatureRowsBuilder builder(3, dense, 3);
  builder.begin_row();
  builder.add(0, 1.5F);
  builder.add(2, -2);
  builder.begin_row();
  builder.begin_row();
  builder.add(1, 4);
  return std::move(builder).finish();
}

TEST(FeatureRowsBuilder, MakesDenseAndSparseRows) {
  const FeatureRows dense = three_rows(true);
  EXPECT_TRUE(dense.is_dense());
  ASSERT_EQ(dense.num_rows(), 3U);
  EXPECT_EQ(visited(dense, 0), (Row{{0, 1.5}, {1, 0}, {2, -2}}));
  EXPECT_EQ(visited(dense, 1), (Row{{0, 0}, {1, 0}, {2, 0}}));
  const FeatureRows sparse = three_rows(false);
  EXPECT_FALSE(sparse.is_dense());
  ASSERT_EQ(sparse.num_rows(), 3U);
  EXPECT_EQ(visited(sparse, 0), (Row{{0, 1.5}, {2, -2}}));
  EXPECT_TRUE(visited(sparse, 1).empty());
  EXPECT_EQ(visited(sparse, 2), (Row{{1, 4}}));
}

TEST(FeatureRowsBuilder, RowsWithoutFeaturesAreSparse) {
  FeatureRowsBuilder builder(0, true);
  builder.begin_row();
  builder.begin_row();
  EXPECT_EQ(std::move(builder).finish().num_rows(), 2U);
}

TEST(FeatureRowsBuilder, RefusesWhatFeatureRowsDo) {
  FeatureRowsBuilder builder(2, false);
  builder.begin_row();
  builder.add(1, 1);
  builder.add(0, 1);
  EXPECT_THROW(std::move(builder).finish(), UsageError);
}

}  // namespace
}  // namespace trellis
