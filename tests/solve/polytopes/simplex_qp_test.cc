#include "trellis/solve/polytopes/simplex_qp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/falling_root.h"

namespace trellis {
namespace {

struct Program {
  std::vector<std::vector<double>> rows;  // G = A Aᵀ
  std::vector<double> gram;
  std::vector<double> linear;

  Index size() const { return linear.size(); }
  void add(std::vector<double> row, double b) {
    rows.push_back(std::move(row));
    linear.push_back(b);
    const Index k = size();
    gram.assign(k * k, 0.0);
    for (Index i = 0; i < k; ++i) {
      for (Index j = 0; j < k; ++j) {
        gram[i * k + j] = std::inner_product(rows[i].begin(), rows[i].end(), rows[j].begin(), 0.0);
      }
    }
  }
};

std::vector<double> random_row(Random& draw, Index dimension, double scale = 1) {
  std::vector<double> row(dimension);
  for (double& value : row) value = scale * draw.normal();
  return row;
}

double objective(const Program& program, const std::vector<double>& alpha) {
  const Index k = program.size();
  double value = 0;
  for (Index i = 0; i < k; ++i) {
    value -= program.linear[i] * alpha[i];
    for (Index j = 0; j < k; ++j) value += program.gram[i * k + j] * alpha[i] * alpha[j] / 2;
  }
  return value;
}

// Optimality needs no second solver: α is on the simplex, and no g_j is below that of the rows with
// mass. Returns the violation, relative to the numbers that g is the difference of.
double check_optimal(const Program& program, const std::vector<double>& alpha) {
  const Index k = program.size();
  double mass = 0;
  double magnitude = 0;
  double highest = -1e300;
  double lowest = 1e300;
  for (Index i = 0; i < k; ++i) {
    EXPECT_GE(alpha[i], 0);
    mass += alpha[i];
    double g = -program.linear[i];
    double size = std::abs(program.linear[i]);
    for (Index j = 0; j < k; ++j) {
      g += program.gram[i * k + j] * alpha[j];
      size += std::abs(program.gram[i * k + j]) * alpha[j];
    }
    magnitude = std::max(magnitude, size);
    lowest = std::min(lowest, g);
    if (alpha[i] > 0) highest = std::max(highest, g);
  }
  EXPECT_NEAR(mass, 1, 1e-12);
  return (highest - lowest) / magnitude;
}

TEST(SimplexQp, SatisfiesTheOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random draw(seed);
    const Index k = 1 + draw.below(30);
    const Index rank = 1 + draw.below(20);
    const double scale = std::pow(10.0, -3 + 6 * draw.uniform());
    Program program;
    for (Index j = 0; j < k; ++j) program.add(random_row(draw, rank, scale), draw.normal());
    std::vector<double> alpha(k, 0.0);
    const SimplexQpResult result = simplex_qp(program.gram, program.linear, alpha);
    EXPECT_LE(check_optimal(program, alpha), 1e-10) << "seed " << seed;
    EXPECT_GE(result.violation, 0);
  }
}

TEST(SimplexQp, RowsThatRepeatOrDependDoNoHarm) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random draw(seed);
    Program program;
    program.add(std::vector<double>(4, 0.0), 0);
    while (program.size() < 25) {
      const Index a = draw.below(program.size());
      const Index b = draw.below(program.size());
      std::vector<double> row = random_row(draw, 4);
      double offset = draw.normal();
      if (draw.uniform() < 0.7) {
        // A repeated row, or a mixture of two, with the offset of the mixture or a lower one.
        const double share = draw.uniform() < 0.5 ? 0 : draw.uniform();
        for (Index j = 0; j < 4; ++j) {
          row[j] = program.rows[a][j] + share * (program.rows[b][j] - program.rows[a][j]);
        }
        offset = program.linear[a] + share * (program.linear[b] - program.linear[a]);
        if (draw.uniform() < 0.5) offset -= 0.1;
      }
      program.add(row, offset);
    }
    std::vector<double> alpha(program.size(), 0.0);
    // A start with mass on all of them is not independent, either.
    if (seed % 2 == 0) std::fill(alpha.begin(), alpha.end(), 1.0);
    simplex_qp(program.gram, program.linear, alpha);
    EXPECT_LE(check_optimal(program, alpha), 1e-10) << "seed " << seed;
  }
}

TEST(SimplexQp, RowsThatAreNearlyTheSameAreToldApartOrTreatedAsOne) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random draw(seed);
    const std::vector<double> centre = random_row(draw, 10);
    const double spread = std::pow(10.0, -9 * draw.uniform());
    Program program;
    for (int j = 0; j < 20; ++j) {
      std::vector<double> row = random_row(draw, 10, spread);
      for (Index l = 0; l < 10; ++l) row[l] += centre[l];
      program.add(row, 1 + spread * draw.normal());
    }
    std::vector<double> alpha(20, 0.0);
    simplex_qp(program.gram, program.linear, alpha);
    EXPECT_LE(check_optimal(program, alpha), 1e-10) << "seed " << seed << " spread " << spread;
  }
}

TEST(SimplexQp, AStartThatIsOptimalTakesNoStepAndANewRowOnlyAFew) {
  Random draw(5);
  Program program;
  std::vector<double> alpha;
  Index steps = 0;
  for (int k = 0; k < 60; ++k) {
    program.add(random_row(draw, 15), draw.normal());
    alpha.push_back(0);
    steps += simplex_qp(program.gram, program.linear, alpha).steps;
    EXPECT_LE(check_optimal(program, alpha), 1e-10);
    EXPECT_EQ(simplex_qp(program.gram, program.linear, alpha).steps, 0U);
  }
  EXPECT_LE(steps, 120U);
}

TEST(SimplexQp, TheStartDoesNotMatter) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random draw(seed);
    Program program;
    for (int j = 0; j < 15; ++j) program.add(random_row(draw, 8), draw.normal());
    std::vector<double> cold(15, 0.0);
    std::vector<double> warm(15, 0.0);
    for (double& a : warm) a = draw.uniform() < 0.5 ? 0.0 : draw.uniform();
    simplex_qp(program.gram, program.linear, cold);
    simplex_qp(program.gram, program.linear, warm);
    EXPECT_NEAR(objective(program, cold), objective(program, warm), 1e-11);
  }
}

TEST(SimplexQp, OneRowHasAllTheMass) {
  std::vector<double> alpha = {0};
  EXPECT_EQ(simplex_qp(std::vector<double>{3}, std::vector<double>{-2}, alpha).violation, 0);
  EXPECT_EQ(alpha[0], 1);
}

TEST(SimplexQp, WithoutCurvatureTheLargestLinearTermWins) {
  std::vector<double> alpha(4, 0.25);
  simplex_qp(std::vector<double>(16, 0.0), std::vector<double>{1, 3, 2, 3}, alpha);
  EXPECT_NEAR(alpha[1] + alpha[3], 1, 1e-15);
}

// h(θ) = c − Σ_k max(0, s_k (θ − t_k)): falls piece by piece.
TEST(FallingRoot, IsExactForPiecewiseLinearFunctions) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random draw(seed);
    const double c = draw.uniform();
    std::vector<double> breaks(draw.below(20));
    std::vector<double> slopes(breaks.size());
    for (double& t : breaks) t = 1.5 * draw.uniform() - 0.2;
    for (double& s : slopes) s = std::pow(10.0, -4 + 6 * draw.uniform());
    const auto h = [&](double theta) {
      FallingValue at{c, 0};
      for (Index k = 0; k < breaks.size(); ++k) {
        if (theta <= breaks[k]) continue;
        at.value -= slopes[k] * (theta - breaks[k]);
        at.fall += slopes[k];
      }
      return at;
    };
    const double root = falling_root(1.0, h);
    if (h(0).value <= 0) {
      EXPECT_EQ(root, 0);
    } else if (h(1).value >= 0) {
      EXPECT_EQ(root, 1);
    } else {
      EXPECT_NEAR(h(root).value, 0, 1e-11 * (1 + h(root).fall)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace trellis
