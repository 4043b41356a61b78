#include "trellis/problem/kernels/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel_map.h"

namespace trellis {
namespace {

std::vector<float> random_vectors(Index n, Index width, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> x(n * width);
  for (float& value : x) value = static_cast<float>(random.normal());
  return x;
}

std::span<const float> row(std::span<const float> x, Index i, Index width) {
  return x.subspan(i * width, width);
}

double inner(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (Index k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

std::vector<Kernel> kernels() {
  Kernel linear;
  Kernel cubic;
  cubic.kind = KernelKind::kPolynomial;
  cubic.degree = 3;
  cubic.offset = 0.5;
  cubic.scale = 0.25;
  Kernel rbf;
  rbf.kind = KernelKind::kRbf;
  rbf.gamma = 0.1;
  return {linear, cubic, rbf};
}

TEST(Kernel, GramMatrixHoldsTheKernelOfEveryPair) {
  const Index width = 300;  // deeper than one stretch of the products
  const std::vector<float> x = random_vectors(270, width, 1);
  const std::vector<float> y = random_vectors(5, width, 2);
  for (Kernel kernel : kernels()) {
    kernel.gamma = 0.001;
    kernel.scale = 0.01;
    std::vector<double> gram(270 * 5);
    gram_matrix(kernel, x, y, width, gram);
    for (Index a = 0; a < 270; ++a) {
      for (Index b = 0; b < 5; ++b) {
        const double k = kernel(row(x, a, width), row(y, b, width));
        EXPECT_NEAR(gram[a * 5 + b], k, 1e-11 * (1 + std::abs(k)));
      }
    }
    std::vector<double> threaded(gram.size());
    gram_matrix(kernel, x, y, width, threaded, 3);
    EXPECT_EQ(gram, threaded);
  }
}

TEST(Kernel, PolynomialOfDegreeTwoIsTheInnerProductOfMonomials) {
  Kernel kernel;
  kernel.kind = KernelKind::kPolynomial;
  const std::vector<float> x = {1, -2};
  const std::vector<float> y = {3, 0.5F};
  // (⟨x, y⟩ + 1)² = Σ x_a x_b y_a y_b + 2 Σ x_a y_a + 1
  EXPECT_DOUBLE_EQ(kernel(x, y), (3 - 1 + 1) * (3 - 1 + 1));
}

TEST(Kernel, RefusesParametersThatAreNotPositiveSemidefinite) {
  Kernel kernel;
  kernel.kind = KernelKind::kPolynomial;
  kernel.offset = -1;
  EXPECT_THROW(kernel.validate(), UsageError);
  kernel.offset = 0;
  kernel.degree = 0;
  EXPECT_THROW(kernel.validate(), UsageError);
  kernel.degree = 2;
  kernel.scale = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(kernel.validate(), UsageError);
  kernel.kind = KernelKind::kRbf;
  kernel.gamma = 0;
  EXPECT_THROW(kernel.validate(), UsageError);
}

TEST(KernelMap, FeaturesReproduceTheKernelOnTheGivenVectors) {
  const Index n = 150;
  const Index width = 6;
  const std::vector<float> x = random_vectors(n, width, 3);
  for (const Kernel& kernel : kernels()) {
    KernelMapOptions options;
    options.tolerance = 1e-12;
    const KernelMap map(kernel, x, width, options);
    std::vector<double> gram(n * n);
    gram_matrix(kernel, x, x, width, gram);
    double largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, gram[i * n + i]);
    EXPECT_LE(map.residual(), 1e-12 * largest);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        EXPECT_NEAR(inner(map.features(i), map.features(j)), gram[i * n + j], 1e-10 * largest);
      }
    }
  }
}

TEST(KernelMap, RankIsThatOfTheFeatureSpace) {
  const Index width = 4;
  const std::vector<float> x = random_vectors(100, width, 4);
  Kernel kernel;
  EXPECT_EQ(KernelMap(kernel, x, width).rank(), width);
  kernel.kind = KernelKind::kPolynomial;
  // 1, x_a and x_a x_b: 1 + 4 + 10 monomials
  EXPECT_EQ(KernelMap(kernel, x, width).rank(), 15U);
}

TEST(KernelMap, ResidualBoundsWhatAnIncompleteMapLosesOnEveryPair) {
  const Index n = 200;
  const Index width = 5;
  const std::vector<float> x = random_vectors(n, width, 5);
  Kernel kernel;
  kernel.kind = KernelKind::kRbf;
  kernel.gamma = 0.2;
  double last = 2;
  for (const Index rank : {Index{1}, Index{10}, Index{70}, Index{130}, Index{200}}) {
    KernelMapOptions options;
    options.max_rank = rank;
    options.tolerance = 0;
    const KernelMap map(kernel, x, width, options);
    EXPECT_LE(map.rank(), rank);
    EXPECT_LT(map.residual(), last);
    last = map.residual();
    double trace = 0;
    for (Index i = 0; i < n; ++i) {
      trace += 1 - inner(map.features(i), map.features(i));
      for (Index j = 0; j < i; ++j) {
        const double lost =
            kernel(row(x, i, width), row(x, j, width)) - inner(map.features(i), map.features(j));
        EXPECT_LE(std::abs(lost), map.residual() + 1e-11);
      }
    }
    EXPECT_NEAR(map.trace_residual(), trace, 1e-10);
  }
}

TEST(KernelMap, MapsTheGivenVectorsToTheirFeatures) {
  const Index n = 300;
  const Index width = 7;
  const std::vector<float> x = random_vectors(n, width, 6);
  for (const Kernel& kernel : kernels()) {
    KernelMapOptions options;
    options.max_rank = 90;
    options.tolerance = 1e-6;
    const KernelMap map(kernel, x, width, options);
    std::vector<double> phi(n * map.rank());
    map.map(x, phi);
    for (Index i = 0; i < n; ++i) {
      const double norm = std::sqrt(kernel(row(x, i, width), row(x, i, width)));
      for (Index k = 0; k < map.rank(); ++k) {
        EXPECT_NEAR(phi[i * map.rank() + k], map.features(i)[k], 1e-6 * norm);
      }
    }
  }
}

TEST(KernelMap, CoefficientsOnThePivotsScoreAsWeightsOnTheFeatures) {
  const Index width = 6;
  const Index labels = 3;
  const std::vector<float> x = random_vectors(120, width, 7);
  const std::vector<float> fresh = random_vectors(20, width, 8);
  for (const Kernel& kernel : kernels()) {
    const KernelMap map(kernel, x, width);
    Random random(9);
    std::vector<double> w(map.rank() * labels);
    for (double& value : w) value = random.normal();
    std::vector<double> alpha = w;
    map.to_coefficients(alpha, labels);
    std::vector<double> phi(20 * map.rank());
    map.map(fresh, phi);
    std::vector<double> gram(20 * map.rank());
    gram_matrix(kernel, fresh, map.pivot_vectors(), width, gram);
    for (Index i = 0; i < 20; ++i) {
      for (Index label = 0; label < labels; ++label) {
        double by_weights = 0;
        double by_pivots = 0;
        for (Index k = 0; k < map.rank(); ++k) {
          by_weights += w[k * labels + label] * phi[i * map.rank() + k];
          by_pivots += alpha[k * labels + label] * gram[i * map.rank() + k];
        }
        EXPECT_NEAR(by_weights, by_pivots, 1e-5 * (1 + std::abs(by_weights)));
      }
    }
  }
}

TEST(KernelMap, ThreadsDoNotChangeABit) {
  const Index width = 9;
  const std::vector<float> x = random_vectors(700, width, 10);
  Kernel kernel;
  kernel.kind = KernelKind::kRbf;
  kernel.gamma = 0.05;
  KernelMapOptions options;
  options.max_rank = 200;
  const KernelMap one(kernel, x, width, options);
  options.threads = 3;
  const KernelMap three(kernel, x, width, options);
  ASSERT_TRUE(std::ranges::equal(one.pivots(), three.pivots()));
  for (Index i = 0; i < 700; ++i) {
    ASSERT_TRUE(std::ranges::equal(one.features(i), three.features(i)));
  }
}

TEST(KernelMap, EqualVectorsShareAPivot) {
  std::vector<float> x = random_vectors(10, 5, 11);
  std::vector<float> twice = x;
  twice.insert(twice.end(), x.begin(), x.end());
  Kernel kernel;
  kernel.kind = KernelKind::kRbf;
  const KernelMap map(kernel, twice, 5);
  EXPECT_EQ(map.rank(), 10U);
}

TEST(KernelMap, VectorsOfZerosHaveNoFeatures) {
  const std::vector<float> x(12, 0.0F);
  const KernelMap map(Kernel{}, x, 4);
  EXPECT_EQ(map.rank(), 0U);
  EXPECT_EQ(map.residual(), 0);
  EXPECT_TRUE(map.features(2).empty());
  std::vector<double> none;
  map.map(x, none);
}

TEST(KernelMap, RefusesVectorsThatOverflowTheKernel) {
  const std::vector<float> x = {1, 2, std::numeric_limits<float>::infinity(), 0};
  EXPECT_THROW(KernelMap(Kernel{}, x, 2), UsageError);
  EXPECT_THROW(KernelMap(Kernel{}, std::span(x).first(3), 2), UsageError);
}

}  // namespace
}  // namespace trellis
