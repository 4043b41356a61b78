#include "trellis/solve/vectors/vector_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

std::vector<double> normals(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(size);
  for (double& value : x) value = random.normal();
  return x;
}

// |a − exact| in units of the last place of the result.
double ulps(double a, long double exact) {
  const double rounded = static_cast<double>(exact);
  const double next = std::nextafter(std::abs(rounded), kInfinity);
  return static_cast<double>(std::abs((static_cast<long double>(a) - exact) /
                                      static_cast<long double>(next - std::abs(rounded))));
}

TEST(VectorKernels, ExpIsWithinOneUlp) {
  Random random(1);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double x = -708 + random.uniform() * (708 + 709.7);
    worst = std::max(worst, ulps(portable_exp(x), std::exp(static_cast<long double>(x))));
    const double small = random.normal();
    worst = std::max(worst, ulps(portable_exp(small), std::exp(static_cast<long double>(small))));
  }
  EXPECT_LE(worst, 1.0);
}

TEST(VectorKernels, ExpAtItsEdges) {
  EXPECT_EQ(portable_exp(0), 1.0);
  EXPECT_EQ(portable_exp(-0.0), 1.0);
  EXPECT_EQ(portable_exp(-kInfinity), 0.0);
  EXPECT_EQ(portable_exp(-1e300), 0.0);
  EXPECT_EQ(portable_exp(-708.5), 0.0);
  EXPECT_GT(portable_exp(-708), 2e-308);
  EXPECT_LT(portable_exp(709.78), kInfinity);
  EXPECT_EQ(portable_exp(709.79), kInfinity);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
}

TEST(VectorKernels, LogIsWithinOneUlp) {
  Random random(2);
  double worst = 0;
  for (Index i = 0; i < 200000; ++i) {
    const double wide = std::exp(600 * (2 * random.uniform() - 1));
    worst = std::max(worst, ulps(portable_log(wide), std::log(static_cast<long double>(wide))));
    const double near = 1 + 0.5 * (2 * random.uniform() - 1) * random.uniform();
    if (near == 1) continue;
    worst = std::max(worst, ulps(portable_log(near), std::log(static_cast<long double>(near))));
  }
  EXPECT_LE(worst, 1.0);
  EXPECT_EQ(portable_log(1), 0.0);
  EXPECT_EQ(portable_log(0), -kInfinity);
}

TEST(VectorKernels, Log1pIsAccurateForSmallArguments) {
  EXPECT_EQ(portable_log1p(0), 0.0);
  for (double x = 1e-300; x < 1e10; x *= 3.7) {
    EXPECT_LE(ulps(portable_log1p(x), std::log1p(static_cast<long double>(x))), 4) << x;
  }
}

TEST(VectorKernels, SumsAndProductsOfEveryLength) {
  for (Index n = 0; n <= 70; ++n) {
    const std::vector<double> x = normals(n, 3), y = normals(n, 4);
    long double dot_xy = 0, norm = 0, total = 0;
    double largest = -kInfinity;
    for (Index i = 0; i < n; ++i) {
      dot_xy += static_cast<long double>(x[i]) * y[i];
      norm += static_cast<long double>(x[i]) * x[i];
      total += x[i];
      largest = std::max(largest, x[i]);
    }
    EXPECT_NEAR(dot(x, y), static_cast<double>(dot_xy), 1e-13);
    EXPECT_NEAR(squared_norm(x), static_cast<double>(norm), 1e-13);
    EXPECT_NEAR(sum(x), static_cast<double>(total), 1e-13);
    EXPECT_EQ(max_value(x), largest);

    std::vector<double> shares(n);
    double entropy = 0;
    for (Index i = 0; i < n; ++i) {
      shares[i] = i % 5 == 3 ? 0 : std::abs(x[i]);
      if (shares[i] > 0) entropy += shares[i] * std::log(shares[i]);
    }
    EXPECT_NEAR(sum_x_log_x(shares), entropy, 1e-13);

    std::vector<double> z = y, w = x, v = y;
    const std::vector<float> floats(x.begin(), x.end());
    axpy(2.5, x, z);
    axpy(2.5, floats, v);
    scale(-3, w);
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(z[i], y[i] + 2.5 * x[i]);
      EXPECT_EQ(v[i], y[i] + 2.5 * static_cast<double>(floats[i]));
      EXPECT_EQ(w[i], -3 * x[i]);
    }
  }
}

// The shape of the sum that the header writes out.
TEST(VectorKernels, ReductionsHaveEightPartialSums) {
  const std::vector<double> x = normals(21, 5);
  double lane[8] = {};
  for (Index i = 0; i < 16; ++i) lane[i % 8] += x[i];
  for (Index i = 16; i < 21; ++i) lane[i - 13] += x[i];
  const double expected =
      ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  EXPECT_EQ(sum(x), expected);
}

TEST(VectorKernels, ExpRowsShiftsEachRowByItsLargestValue) {
  const std::vector<double> x = {1,          2,  -kInfinity, 99, -kInfinity, -kInfinity,
                                 -kInfinity, 99, 5,          -7, 0,          99};
  std::vector<double> out(x.size(), 42), shifts(3);
  EXPECT_EQ(exp_rows(x.data(), 3, 3, 4, out.data(), shifts.data()), 12.0);
  EXPECT_EQ(shifts, (std::vector<double>{2, 0, 5}));
  EXPECT_EQ(out[0], portable_exp(-1));
  EXPECT_EQ(out[1], 1.0);
  EXPECT_EQ(out[2], 0.0);
  EXPECT_EQ(out[3], 42.0);
  EXPECT_EQ(out[4] + out[5] + out[6], 0.0);
  EXPECT_EQ(out[9], portable_exp(-12));
}

TEST(VectorKernels, SoftmaxOfNothingPossible) {
  const std::vector<double> x(3, -kInfinity);
  std::vector<double> p(3, 7);
  EXPECT_EQ(softmax(x, p), -kInfinity);
  EXPECT_EQ(p, std::vector<double>(3, 0.0));
  EXPECT_EQ(log_sum_exp(x), -kInfinity);
  EXPECT_EQ(log_sum_exp({}), -kInfinity);
  EXPECT_EQ(softmax_entropy(x), 0.0);
}

TEST(VectorKernels, SoftmaxIsSafeForHugeScores) {
  const std::vector<double> x = {1e9, 1e9 - 1, -1e9};
  std::vector<double> p(3);
  EXPECT_DOUBLE_EQ(softmax(x, p), 1e9 + std::log1p(std::exp(-1.0)));
  EXPECT_NEAR(p[0], 1 / (1 + std::exp(-1.0)), 1e-15);
  EXPECT_EQ(p[2], 0.0);
}

TEST(VectorKernels, SameBitsOnEveryTarget) {
  const auto results = on_each_target([] {
    std::vector<double> all;
    for (Index n = 0; n <= 40; ++n) {
      std::vector<double> x = normals(n, 6), y = normals(n, 7), p(n);
      for (double& value : x) value *= 20;
      all.insert(all.end(), {dot(x, y), sum(x), squared_norm(y), max_value(x), log_sum_exp(x)});
      all.push_back(softmax(x, p));
      all.push_back(softmax_entropy(x));
      axpy(0.3, x, y);
      axpy(0.7, std::vector<float>(x.begin(), x.end()), y);
      scale(1.1, y);
      exp_shifted(x, 1.7, x);
      all.push_back(sum_x_log_x(x));
      for (const std::vector<double>* v : {&x, &y, &p}) all.insert(all.end(), v->begin(), v->end());
    }
    for (const double x : normals(1000, 8)) {
      all.push_back(portable_exp(100 * x));
      all.push_back(portable_log(x * x + 1e-300));
    }
    std::vector<std::uint64_t> bits;
    for (const double value : all) bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace trellis
