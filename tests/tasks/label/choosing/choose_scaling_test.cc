#include "trellis/tasks/label/choosing/choose_scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

FeatureRows dense_rows() {
  return FeatureRows::dense(3, {1, 100, 7, 3, -300, 7, 5, 200, 7});
}

FeatureRows sparse_rows() {
  return FeatureRows::sparse(3, {0, 2, 3, 3}, {0, 2, 1}, {3, 4, -0.5F});
}

double mean_square(const FeatureRows& rows, Index width) {
  double sum = 0;
  for (Index r = 0; r < rows.num_rows(); ++r) {
    if (rows.is_dense()) {
      for (Index k = 0; k < width; ++k)
        sum += std::pow(static_cast<double>(rows.dense_row(r)[k]), 2);
    } else {
      for (Index k = 0; k < rows.ids(r).size(); ++k) {
        if (rows.ids(r)[k] < width) sum += std::pow(static_cast<double>(rows.values(r)[k]), 2);
      }
    }
  }
  return sum / static_cast<double>(rows.num_rows());
}

TEST(ChooseScaling, AutoIsStandardForDenseRowsAndUnitForSparse) {
  EXPECT_EQ(resolve_scaling(dense_rows(), Scaling::kAuto), Scaling::kStandard);
  EXPECT_EQ(resolve_scaling(sparse_rows(), Scaling::kAuto), Scaling::kUnit);
  EXPECT_EQ(resolve_scaling(sparse_rows(), Scaling::kMax), Scaling::kMax);
}

TEST(ChooseScaling, StandardHasMeanZeroAndMeanSquaredLengthOne) {
  const FeatureRows rows =
      scaled(dense_rows(), choose_scaling(dense_rows(), Scaling::kStandard, 2));
  ASSERT_EQ(rows.width(), 4U);
  for (Index k = 0; k < 3; ++k) {
    double sum = 0;
    for (Index r = 0; r < 3; ++r) sum += static_cast<double>(rows.dense_row(r)[k]);
    EXPECT_NEAR(sum, 0, 1e-6);
  }
  EXPECT_NEAR(mean_square(rows, 3), 1, 1e-6);
  EXPECT_EQ(rows.dense_row(1)[2], 0) << "a feature that never changes says nothing";
  EXPECT_EQ(rows.dense_row(1)[3], 2) << "the bias";
}

TEST(ChooseScaling, MaxHasMeanSquaredLengthOne) {
  for (const FeatureRows& rows : {dense_rows(), sparse_rows()}) {
    EXPECT_NEAR(mean_square(scaled(rows, choose_scaling(rows, Scaling::kMax, 0)), 3), 1, 1e-6);
  }
}

TEST(ChooseScaling, UnitHasLengthOneButForEmptyRows) {
  const FeatureRows rows = scaled(sparse_rows(), choose_scaling(sparse_rows(), Scaling::kUnit, 0));
  EXPECT_NEAR(mean_square(rows, 3), 2.0 / 3, 1e-6);
}

TEST(ChooseScaling, NoneLeavesFeaturesAsTheyAre) {
  const FeatureScaling scaling = choose_scaling(dense_rows(), Scaling::kNone, 0);
  EXPECT_EQ(scaled(dense_rows(), scaling).dense_row(1)[1], -300);
}

TEST(ChooseScaling, RefusesToCentreSparseRowsAndAnImpossibleBias) {
  EXPECT_THROW(choose_scaling(sparse_rows(), Scaling::kStandard, 1), UsageError);
  EXPECT_THROW(choose_scaling(dense_rows(), Scaling::kNone, -1), UsageError);
  EXPECT_THROW(choose_scaling(dense_rows(), Scaling::kNone, std::nan("")), UsageError);
}

TEST(Scaling, HasAName) {
  for (const Scaling scaling :
       {Scaling::kAuto, Scaling::kNone, Scaling::kUnit, Scaling::kStandard, Scaling::kMax}) {
    EXPECT_EQ(parse_named<Scaling>(trellis::to_string(scaling)), scaling);
  }
  EXPECT_THROW(parse_named<Scaling>("tall"), UsageError);
}

}  // namespace
}  // namespace trellis::label
