#include "trellis/tasks/label/model/inspect.h"

#include <gtest/gtest.h>

#include "tests/tasks/label/small_labeller.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::label {
namespace {

using testing::small_model;

TEST(LabelInspection, ShowsTheStrongestFeaturesOfEachLabel) {
  const auto views = strongest_features(small_model(ModelForm::kIndependent), 1);
  ASSERT_EQ(views.size(), 3U);
  EXPECT_EQ(views[0].label, "a");
  EXPECT_EQ(views[0].threshold, 0.5);
  EXPECT_EQ(views[1].constant, -1);
  ASSERT_EQ(views[2].positive.size(), 1U);
  EXPECT_EQ(views[2].positive[0].name, "y");
  EXPECT_EQ(views[2].positive[0].weight, 0.5);
  EXPECT_EQ(views[2].negative[0].name, "x");
  EXPECT_TRUE(views[0].negative.empty());
}

TEST(LabelInspection, ShowsWhichLabelsSpeakForOneAnother) {
  EXPECT_TRUE(strongest_links(small_model(ModelForm::kIndependent), 9).empty());
  const auto couplings = strongest_links(small_model(ModelForm::kPairwise), 1);
  ASSERT_EQ(couplings.size(), 1U);
  EXPECT_EQ(couplings[0].from, 0U);
  EXPECT_EQ(couplings[0].to, 1U);
  const auto chain = strongest_links(small_model(ModelForm::kChain), 9);
  ASSERT_EQ(chain.size(), 3U);
  EXPECT_EQ(chain[0].weight, -3);  // c was given, a sees it
  EXPECT_EQ(chain[0].from, 2U);
  EXPECT_EQ(chain[0].to, 0U);
}

TEST(StrongestWeights, EqualsStandInTheirOrderAndZerosNowhere) {
  const std::vector<double> weights = {1, -2, 0, 3, 1, -5};
  EXPECT_EQ(strongest_positive(weights, 9), (std::vector<Index>{3, 0, 4}));
  EXPECT_EQ(strongest_positive(weights, 2), (std::vector<Index>{3, 0}));
  EXPECT_EQ(strongest_negative(weights, 9), (std::vector<Index>{5, 1}));
}

}  // namespace
}  // namespace trellis::label
