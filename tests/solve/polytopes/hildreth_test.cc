#include "trellis/solve/polytopes/hildreth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trellis/base/random.h"

namespace trellis {
namespace {

struct Rows {
  std::vector<double> gram;
  std::vector<double> residuals;
};

// k random rows of a given rank.
Rows random_rows(Random& draw, Index k, Index rank) {
  std::vector<std::vector<double>> rows(k, std::vector<double>(rank));
  for (auto& row : rows) {
    for (double& value : row) value = draw.normal();
  }
  Rows result;
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) {
      double product = 0;
      for (Index l = 0; l < rank; ++l) product += rows[i][l] * rows[j][l];
      result.gram.push_back(product);
    }
    result.residuals.push_back(draw.normal() + 0.5);
  }
  return result;
}

TEST(Hildreth, SatisfiesTheKktConditions) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random draw(seed);
    const Index k = 1 + draw.below(8);
    const Index rank = 1 + draw.below(6);
    const Rows rows = random_rows(draw, k, rank);
    const double cap = std::pow(10.0, -3 + 4 * draw.uniform());
    std::vector<double> alpha(k);
    EXPECT_LE(hildreth(rows.gram, rows.residuals, cap, alpha), 1e-8);

    double sum = 0;
    for (const double a : alpha) {
      EXPECT_GE(a, 0);
      sum += a;
    }
    EXPECT_LE(sum, cap * (1 + 1e-12));
    // g = r − Gα; ξ = max(0, max g) is the primal's slack. Rows with mass touch it, and slack is
    // paid for only with the whole cap.
    double slack = 0;
    std::vector<double> g = rows.residuals;
    for (Index i = 0; i < k; ++i) {
      for (Index j = 0; j < k; ++j) g[i] -= rows.gram[i * k + j] * alpha[j];
      slack = std::max(slack, g[i]);
    }
    for (Index i = 0; i < k; ++i) {
      if (alpha[i] > 0) {
        EXPECT_NEAR(g[i], slack, 1e-8) << "seed " << seed;
      }
    }
    if (slack > 1e-8) {
      EXPECT_NEAR(sum, cap, 1e-8 * cap) << "seed " << seed;
    }
  }
}

TEST(Hildreth, OneRowIsTheClippedStep) {
  std::vector<double> alpha(1);
  hildreth(std::vector<double>{4}, std::vector<double>{2}, 10, alpha);
  EXPECT_EQ(alpha[0], 0.5);
  hildreth(std::vector<double>{4}, std::vector<double>{2}, 0.25, alpha);
  EXPECT_EQ(alpha[0], 0.25);
  hildreth(std::vector<double>{4}, std::vector<double>{-2}, 10, alpha);
  EXPECT_EQ(alpha[0], 0);
}

TEST(Hildreth, WithoutCapSeparableRowsAreAllSatisfied) {
  Random draw(3);
  const Rows rows = random_rows(draw, 4, 10);
  std::vector<double> alpha(4);
  hildreth(rows.gram, rows.residuals, std::numeric_limits<double>::infinity(), alpha);
  for (Index i = 0; i < 4; ++i) {
    double g = rows.residuals[i];
    for (Index j = 0; j < 4; ++j) g -= rows.gram[i * 4 + j] * alpha[j];
    EXPECT_LE(g, 1e-8);
  }
}

TEST(Hildreth, ConstantRowsAndNoRowsAreFine) {
  std::vector<double> alpha(1);
  hildreth(std::vector<double>{0}, std::vector<double>{1}, 2, alpha);
  EXPECT_EQ(alpha[0], 2);
  EXPECT_GT(hildreth(std::vector<double>{0}, std::vector<double>{1},
                     std::numeric_limits<double>::infinity(), alpha),
            0);
  EXPECT_EQ(hildreth({}, {}, 1, {}), 0);
}

}  // namespace
}  // namespace trellis
