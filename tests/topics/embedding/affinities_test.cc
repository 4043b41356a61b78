#include "trellis/topics/embedding/affinities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::affinities_test {
namespace {

double perplexity_of(std::span<const double> p) {
  double entropy = 0;
  for (const double share : p) entropy -= share > 0 ? share * std::log(share) : 0;
  return std::exp(entropy);
}

TEST(Calibrate, MeetsThePerplexity) {
  Random random(1);
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const double wanted : {1.5, 5.0, 25.0}) {
      std::vector<float> distances(60);
      for (float& d : distances) d = static_cast<float>(scale * (1 + random.uniform()));
      std::sort(distances.begin(), distances.end());
      std::vector<double> p(distances.size());
      const double beta = calibrate(distances, wanted, p);
      EXPECT_NEAR(perplexity_of(p), wanted, 1e-3 * wanted);
      for (Index j = 1; j < p.size(); ++j) {
        const double gap = static_cast<double>(distances[j]) - static_cast<double>(distances[0]);
        EXPECT_NEAR(p[j] / p[0], std::exp(-beta * gap), 1e-9);
      }
    }
  }
}

TEST(Calibrate, EqualDistancesAreUniform) {
  const std::vector<float> distances(5, 0.0F);
  std::vector<double> p(5);
  calibrate(distances, 2, p);
  for (const double share : p) EXPECT_DOUBLE_EQ(share, 0.2);
}

TEST(Affinities, AreSymmetricAndAddUpToOne) {
  Random random(2);
  std::vector<float> points(200 * 4);
  for (float& x : points) x = static_cast<float>(random.uniform());
  const Affinities p = affinities(nearest_neighbours(points, 4, 15, 1), 5, 1);
  ASSERT_EQ(p.size(), 200U);
  std::vector<std::vector<double>> dense(200, std::vector<double>(200, 0.0));
  double total = 0;
  for (Index i = 0; i < p.size(); ++i) {
    for (std::uint64_t e = p.begin[i]; e < p.begin[i + 1]; ++e) {
      EXPECT_TRUE(e == p.begin[i] || p.ids[e] > p.ids[e - 1]);
      dense[i][p.ids[e]] = static_cast<double>(p.values[e]);
      total += static_cast<double>(p.values[e]);
    }
    EXPECT_EQ(dense[i][i], 0);
  }
  EXPECT_NEAR(total, 1, 1e-6);
  for (Index i = 0; i < p.size(); ++i) {
    for (Index j = 0; j < i; ++j) EXPECT_EQ(dense[i][j], dense[j][i]);
  }
}

}  // namespace
}  // namespace trellis::topics::affinities_test
