#include "trellis/tasks/classify/kernel_variants.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/tasks/classify/small_classifier.h"
#include "trellis/tasks/classify/predict.h"
#include "trellis/tasks/kernel_pivots.h"

namespace trellis::classify {
namespace {

using testing::data_of;

// Inside and outside of a circle: no line parts them.
std::string circle() {
  std::string lines;
  for (int k = 0; k < 81; ++k) {
    const int x = k % 9 - 4;
    const int y = k / 9 - 4;
    lines += fmt::format("{} 1:{} 2:{}\n", x * x + y * y < 9 ? "in" : "out", x, y);
  }
  return lines;
}

TEST(KernelVariants, AreForFewDenseDocuments) {
  std::string sparse;
  for (int k = 1; k <= 30; ++k) sparse += fmt::format("{} {}:1\n", k % 2, k);
  EXPECT_EQ(kernel_variants(data_of(sparse)).size(), 1u);
  const std::vector<KernelVariant> variants = kernel_variants(data_of(circle()));
  ASSERT_EQ(variants.size(), 4u);
  EXPECT_EQ(variants[0].name, "linear");
  EXPECT_FALSE(variants[0].kernel);
  for (Index k = 1; k < variants.size(); ++k) {
    EXPECT_EQ(variants[k].name, to_string(*variants[k].kernel));
    if (k > 1) {
      EXPECT_NEAR(variants[k].kernel->gamma / variants[k - 1].kernel->gamma, 4, 0.05);
    }
  }
}

TEST(KernelVariants, EachCanBeTrainedOnTheSameData) {
  const ClassifyData data = data_of(circle());
  std::vector<double> accuracy;
  for (const KernelVariant& variant : kernel_variants(data)) {
    TrainOptions options = testing::options_for();
    options.training.learner.c = 10;
    options.kernel = variant.kernel;
    const Trained trained = train(data, nullptr, options);
    accuracy.push_back(evaluate(*trained.model, testing::input(circle()), {}).scores.accuracy());
  }
  EXPECT_LT(accuracy[0], 80);
  EXPECT_GT(accuracy[2], 90);
}

}  // namespace
}  // namespace trellis::classify
