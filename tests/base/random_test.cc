#include "trellis/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace trellis {
namespace {

using Block = std::array<std::uint64_t, 4>;

// Σ (observed − expected)² / expected for equally likely cells.
double chi_square(const std::vector<double>& counts) {
  double total = 0;
  for (const double count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// An upper limit that a χ² variable exceeds with probability below 10^−6 (Wilson & Hilferty 1931).
double chi_square_limit(std::size_t degrees) {
  const double k = static_cast<double>(degrees), a = 2 / (9 * k);
  return k * std::pow(1 - a + 4.8 * std::sqrt(a), 3);
}

// The known answers that come with the authors' Random123 library.
TEST(Philox, EqualsTheReferenceImplementation) {
  EXPECT_EQ(philox4x64({0, 0, 0, 0}, {0, 0}), (Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc,
                                                     0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  const std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(
      philox4x64({ones, ones, ones, ones}, {ones, ones}),
      (Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(
      philox4x64({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                 {0x452821e638d01377, 0xbe5466cf34e90c6c}),
      (Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

// These values are promised: results of published runs depend on them.
TEST(Random, DrawsAreFrozen) {
  Random first(0);
  EXPECT_EQ(first.next(), 0x16554d9eca36314cu);
  EXPECT_EQ(first.next(), 0xdb20fe9d672d0fdcu);
  Random random(1, 2, 3);
  EXPECT_EQ(random.next(), philox4x64({0, 2, 3, 0}, {1, 0})[0]);
  for (int i = 1; i < 4; ++i) random.next();
  EXPECT_EQ(random.next(), philox4x64({1, 2, 3, 0}, {1, 0})[0]);
  Random real(5);
  EXPECT_EQ(real.uniform(), 0x1.e729ebdab2932p-1);
  EXPECT_EQ(real.below(1000), 343u);
  EXPECT_EQ(real.normal(), 0x1.ab854410b1acp-2);
  EXPECT_EQ(real.normal(), 0x1.8cbe5baefde9cp+0);
  EXPECT_EQ(random_permutation(8, Random(5)), (std::vector<Index>{5, 4, 1, 6, 0, 3, 2, 7}));
}

TEST(Random, StreamsOfDifferentKeysDiffer) {
  std::set<std::uint64_t> seen;
  Index draws = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::uint64_t item = 0; item < 8; ++item) {
      for (std::uint64_t step = 0; step < 8; ++step) {
        Random random(seed, item, step);
        for (int i = 0; i < 16; ++i, ++draws) seen.insert(random.next());
      }
    }
  }
  EXPECT_EQ(seen.size(), draws);
}

// The first draws of neighbouring keys, bit by bit: half of them differ, whichever part is changed.
TEST(Random, NeighbouringKeysAreUncorrelated) {
  const Index n = 4000;
  for (int part = 0; part < 3; ++part) {
    std::vector<double> flips(64, 0.0);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t a =
          Random(part == 0 ? i : 9, part == 1 ? i : 9, part == 2 ? i : 9).next();
      const std::uint64_t j = i + 1;
      const std::uint64_t b =
          Random(part == 0 ? j : 9, part == 1 ? j : 9, part == 2 ? j : 9).next();
      for (unsigned bit = 0; bit < 64; ++bit) flips[bit] += static_cast<double>((a ^ b) >> bit & 1);
    }
    for (const double count : flips) {
      EXPECT_LT(std::abs(count - n / 2.0), 5.5 * std::sqrt(n / 4.0)) << "part " << part;
    }
  }
}

TEST(Random, EveryByteOfADrawIsUniform) {
  Random random(11);
  for (unsigned byte = 0; byte < 8; ++byte) {
    std::vector<double> counts(256, 0.0);
    for (int i = 0; i < 100000; ++i) counts[random.next() >> (8 * byte) & 255] += 1;
    EXPECT_LT(chi_square(counts), chi_square_limit(255));
  }
}

TEST(Random, ConsecutiveDrawsAreIndependent) {
  Random random(12);
  std::vector<double> counts(32 * 32, 0.0);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t first = random.next() >> 59, second = random.next() >> 59;
    counts[32 * first + second] += 1;
  }
  EXPECT_LT(chi_square(counts), chi_square_limit(32 * 32 - 1));
}

TEST(Random, UniformStaysBelowOneAndHasItsMoments) {
  Random random(13);
  double sum = 0, squares = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 1.0 / 2, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
}

TEST(Random, BelowIsUniformForEverySize) {
  Random random(14);
  for (const std::uint64_t n : {1, 2, 3, 7, 10, 64, 100}) {
    std::vector<double> counts(n, 0.0);
    for (int i = 0; i < 50000; ++i) {
      const std::uint64_t draw = random.below(n);
      ASSERT_LT(draw, n);
      counts[draw] += 1;
    }
    if (n > 1) {
      EXPECT_LT(chi_square(counts), chi_square_limit(n - 1)) << n;
    }
  }
}

// With n = 3·2^62 a quarter of the words must be rejected; a biased method doubles a third of them.
TEST(Random, BelowIsUnbiasedForHugeSizes) {
  Random random(15);
  const std::uint64_t n = std::uint64_t{3} << 62;
  std::vector<double> counts(3, 0.0);
  for (int i = 0; i < 100000; ++i) counts[random.below(n) >> 62] += 1;
  EXPECT_LT(chi_square(counts), chi_square_limit(2));
}

TEST(Random, NormalHasTheNormalDistribution) {
  Random random(16);
  const int n = 200000, cells = 100;
  std::vector<double> counts(cells, 0.0);
  double fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal();
    fourth += z * z * z * z / n;
    const double probability = std::erfc(-z / std::sqrt(2.0)) / 2;
    counts[static_cast<Index>(std::min(probability * cells, cells - 1.0))] += 1;
  }
  EXPECT_LT(chi_square(counts), chi_square_limit(cells - 1));
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96.0 / n));
}

TEST(RandomPermutation, AllOrdersAreEquallyLikely) {
  std::map<std::vector<Index>, double> counts;
  for (std::uint64_t i = 0; i < 24000; ++i) counts[random_permutation(4, Random(17, i))] += 1;
  ASSERT_EQ(counts.size(), 24u);
  std::vector<double> values;
  for (const auto& entry : counts) values.push_back(entry.second);
  EXPECT_LT(chi_square(values), chi_square_limit(23));
}

TEST(RandomPermutation, ContainsEveryIndexOnce) {
  for (const Index n : {0, 1, 2, 1000}) {
    std::vector<Index> order = random_permutation(n, Random(18));
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), n);
    for (Index i = 0; i < n; ++i) EXPECT_EQ(order[i], i);
  }
}

}  // namespace
}  // namespace trellis
