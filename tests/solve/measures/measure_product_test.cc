#include "trellis/solve/measures/measure_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

using Kind = SetMeasure::Kind;

std::vector<double> product_scores(Index size, Random& random) {
  const Index kind = random.below(4);
  std::vector<double> s(size);
  for (double& score : s) {
    score = kind == 0   ? random.normal()
            : kind == 1 ? 0.1 * random.normal() - 0.2
            : kind == 2 ? static_cast<double>(random.below(3)) - 1
                        : 1e3 * random.normal();
  }
  return s;
}

double product_of(const SetMeasure& measure, double gamma, const std::vector<double>& s,
                  const std::vector<std::uint32_t>& truth, const std::vector<Label>& y) {
  double lacking = gamma + chosen_sum(s, y);
  for (const std::uint32_t v : truth) lacking -= s[v];
  return measure.loss(set_counts(truth, y)) * lacking;
}

TEST(MeasureProduct, EqualsEnumeration) {
  Random random(1);
  MeasureArgmaxScratch scratch;
  for (const SetMeasure& measure :
       {SetMeasure{Kind::kFBeta, 1}, SetMeasure{Kind::kFBeta, 0.1}, SetMeasure{Kind::kFBeta, 10},
        SetMeasure{Kind::kPrecision}, SetMeasure{Kind::kRecall}, SetMeasure{Kind::kHamming}}) {
    for (int trial = 0; trial < 500; ++trial) {
      const Index size = random.below(8);
      const std::vector<double> s = product_scores(size, random);
      std::vector<std::uint32_t> truth;
      const double share = random.uniform();
      for (std::uint32_t v = 0; v < size; ++v) {
        if (random.uniform() < share) truth.push_back(v);
      }
      const double gamma = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1 : 10 * random.uniform();
      double expected = 0;
      for (Index set = 0; set < Index{1} << size; ++set) {
        std::vector<Label> y(size);
        for (Index v = 0; v < size; ++v) y[v] = static_cast<Label>(set >> v & 1);
        expected = std::max(expected, product_of(measure, gamma, s, truth, y));
      }
      std::vector<Label> y(size, 0);
      const MeasureProduct found = measure_product_argmax(measure, gamma, s, truth, scratch, y);
      const double scale = 1e-12 * (1 + expected) * (1 + gamma);
      EXPECT_NEAR(found.value, expected, 1e3 * scale);
      if (found.value == 0) continue;
      EXPECT_NEAR(product_of(measure, gamma, s, truth, y), found.value, 1e3 * scale);
      EXPECT_EQ(found.loss, measure.loss(set_counts(truth, y)));
    }
  }
}

}  // namespace
}  // namespace trellis
