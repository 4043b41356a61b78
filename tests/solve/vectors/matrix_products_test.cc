#include "trellis/solve/vectors/matrix_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/solve/vectors/each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

struct Rows {
  std::vector<std::vector<std::uint32_t>> ids;
  std::vector<std::vector<float>> values;

  std::vector<SparseRow> views() const {
    std::vector<SparseRow> rows;
    for (Index v = 0; v < ids.size(); ++v) rows.push_back({ids[v], values[v]});
    return rows;
  }
};

// Rows of all lengths from none to all features, some lengths often.
Rows draw_rows(Index count, Index width, bool ones, Random& random) {
  Rows rows;
  for (Index v = 0; v < count; ++v) {
    const double share = static_cast<double>(random.below(5)) / 4;
    rows.ids.emplace_back();
    rows.values.emplace_back();
    for (std::uint32_t k = 0; k < width; ++k) {
      if (random.uniform() >= share) continue;
      rows.ids[v].push_back(k);
      rows.values[v].push_back(ones ? 1.0F : static_cast<float>(random.normal()));
    }
  }
  return rows;
}

std::vector<double> draw(Index size, Random& random) {
  std::vector<double> values(size);
  for (double& value : values) value = random.normal();
  return values;
}

// To the bit: each row's features are added in their order.
TEST(SlicedRows, ProductsAreSumsInTheOrderOfFeaturesOnEveryTarget) {
  Random random(1);
  for (Index trial = 0; trial < 60; ++trial) {
    const Index width = 1 + random.below(12);
    const Rows rows = draw_rows(random.below(60), width, trial % 2 == 0, random);
    const std::vector<double> theta = draw(width, random);
    std::vector<double> expected;
    for (Index v = 0; v < rows.ids.size(); ++v) {
      double sum = 0;
      for (Index k = 0; k < rows.ids[v].size(); ++k) {
        sum += theta[rows.ids[v][k]] * static_cast<double>(rows.values[v][k]);
      }
      expected.push_back(sum);
    }
    const SlicedRows sliced(width, rows.views());
    ASSERT_EQ(sliced.num_rows(), rows.ids.size());
    for (const std::vector<double>& s : on_each_target([&] {
           std::vector<double> out(rows.ids.size(), std::nan(""));
           sliced.multiply(theta, out);
           return out;
         })) {
      EXPECT_EQ(s, expected);
    }
  }
}

TEST(MultiplyDense, ProductsHaveTheSameBitsOnEveryTarget) {
  Random random(2);
  for (Index width = 1; width < 40; ++width) {
    const Index count = random.below(5);
    std::vector<float> rows(count * width);
    for (float& value : rows) value = static_cast<float>(random.normal());
    const std::vector<double> theta = draw(width, random);
    const auto results = on_each_target([&] {
      std::vector<double> out(count, std::nan(""));
      multiply_dense(rows, theta, out);
      return out;
    });
    for (const std::vector<double>& s : results) EXPECT_EQ(s, results.front());
    for (Index v = 0; v < count; ++v) {
      double sum = 0;
      for (Index k = 0; k < width; ++k) sum += theta[k] * static_cast<double>(rows[v * width + k]);
      EXPECT_NEAR(results.front()[v], sum, 1e-13 * static_cast<double>(width));
    }
  }
}

}  // namespace
}  // namespace trellis
