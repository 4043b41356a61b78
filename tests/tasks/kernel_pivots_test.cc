#include "trellis/tasks/kernel_pivots.h"

#include <gtest/gtest.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

TEST(KernelPivots, TextOfAKernelIsReadAsItWasWritten) {
  for (const char* text : {"linear", "poly:2:1", "poly:3:0.5", "rbf:0.25"}) {
    EXPECT_EQ(to_string(parse_kernel(text)), text);
  }
  EXPECT_EQ(to_string(parse_kernel("poly:2")), "poly:2:1");
  for (const char* text : {"", "rbf", "rbf:0", "rbf:x", "rbf:inf", "poly", "poly:0", "poly:1.5",
                           "poly:2:-1", "poly:21", "linear:1", "sigmoid:1"}) {
    EXPECT_THROW(parse_kernel(text), UsageError) << text;
  }
}

SparseRows random_rows(Index count, Index width, std::uint64_t seed) {
  SparseRows rows;
  rows.width = width;
  Random random(seed);
  for (Index r = 0; r < count; ++r) {
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
    for (Index d = 0; d < width; ++d) {
      if (random.uniform() < 0.5) continue;
      ids.push_back(static_cast<std::uint32_t>(d));
      values.push_back(static_cast<float>(random.uniform() - 0.5));
    }
    rows.add(ids, values);
  }
  return rows;
}

std::vector<float> dense(const SparseRows& rows, Index r) {
  std::vector<float> x(rows.width, 0.0F);
  for (Index k = 0; k < rows.ids_of(r).size(); ++k) x[rows.ids_of(r)[k]] = rows.values_of(r)[k];
  return x;
}

TEST(KernelPivots, ValuesAreThoseOfTheKernel) {
  const SparseRows pivots = random_rows(9, 6, 1);
  const SparseRows others = random_rows(5, 6, 2);
  for (const char* text : {"linear", "poly:3", "rbf:0.7"}) {
    const KernelPivots expansion(parse_kernel(text), pivots);
    for (Index r = 0; r < others.size(); ++r) {
      const std::vector<float> x = dense(others, r);
      double squares = 0;
      for (const float value : x) squares += static_cast<double>(value) * value;
      std::vector<double> products;
      std::vector<float> values(pivots.size());
      expansion.expand(others.ids_of(r), others.values_of(r), 1, squares, products, values);
      for (Index p = 0; p < pivots.size(); ++p) {
        EXPECT_NEAR(values[p], expansion.kernel()(x, dense(pivots, p)), 1e-6) << text;
      }
    }
  }
}

// ⟨w, φ(x)⟩ = ⟨α, k(x, ·)⟩ for all rows that the map was made of.
TEST(KernelPivots, WeightsOfPivotsScoreLikeThoseOfFeatures) {
  const SparseRows x = random_rows(12, 8, 3);
  const Kernel kernel = parse_kernel("rbf:1");
  const KernelMap map = map_rows(kernel, x, {});
  SparseRows rows;
  rows.width = x.width;
  for (const Index i : map.pivots()) rows.add(x.ids_of(i), x.values_of(i));
  const KernelPivots pivots(kernel, rows);
  Random random(4);
  std::vector<double> w(map.rank());
  for (double& weight : w) weight = random.uniform() - 0.5;
  std::vector<double> alpha = w;
  map.to_coefficients(alpha);
  for (Index i = 0; i < x.size(); ++i) {
    double by_features = 0;
    for (Index p = 0; p < w.size(); ++p) by_features += w[p] * map.features(i)[p];
    double squares = 0;
    for (const float value : x.values_of(i)) squares += static_cast<double>(value) * value;
    std::vector<double> products;
    std::vector<float> values(pivots.size());
    pivots.expand(x.ids_of(i), x.values_of(i), 1, squares, products, values);
    double by_pivots = 0;
    for (Index p = 0; p < w.size(); ++p) by_pivots += alpha[p] * static_cast<double>(values[p]);
    EXPECT_NEAR(by_pivots, by_features, 1e-4);
  }
}

TEST(KernelPivots, MatricesBeyondAFewGigabytesAreRefused) {
  SparseRows x;
  x.width = Index{1} << 31;
  x.add({}, {});
  EXPECT_THROW(map_rows(parse_kernel("linear"), x, {}), UsageError);
}

}  // namespace
}  // namespace trellis
