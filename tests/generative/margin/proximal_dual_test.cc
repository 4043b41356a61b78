// The inner problems: minima by their conditions, derivatives against central differences, λ by the
// mass.
#include "trellis/generative/margin/proximal_dual.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/generative/margin/enumerated_losses.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

constexpr Divergence kBoth[] = {Divergence::kForward, Divergence::kReverse};

TEST(DivergenceAt, DerivativesEqualDifferencesAcrossTheInflection) {
  for (const Divergence divergence : kBoth) {
    for (const double c : {0.01, 0.2, 0.9}) {
      for (double theta = std::log(c) - 3; theta < 0; theta += 0.137) {
        const auto at = [&](double x) {
          return divergence_at(divergence, c, std::log(c), x, std::exp(x));
        };
        const double h = 1e-5;
        EXPECT_NEAR((at(theta + h).value - at(theta - h).value) / (2 * h), at(theta).slope, 1e-9);
        EXPECT_NEAR((at(theta + h).slope - at(theta - h).slope) / (2 * h), at(theta).curvature,
                    1e-5);
        EXPECT_GE(at(theta).curvature, 0);
      }
    }
  }
}

TEST(DivergenceAt, ReverseIsTheDivergenceWhereThatIsConvexAndAboveItElsewhere) {
  const double c = 0.3;
  for (double theta = -8; theta < 0; theta += 0.1) {
    const double exact = std::exp(theta) * (theta - std::log(c) - 1) + c;
    const double ours =
        divergence_at(Divergence::kReverse, c, std::log(c), theta, std::exp(theta)).value;
    if (theta >= std::log(c) - 1) {
      EXPECT_NEAR(ours, exact, 1e-15);
    } else {
      EXPECT_GT(ours, exact);
    }
  }
}

struct RandomDual {
  Distributions distributions;
  std::vector<double> c, centre, mu;
  double gamma;
};

RandomDual random_dual(Random& random) {
  RandomDual dual;
  for (Index i = 0; i < 3; ++i) dual.distributions.add(1 + random.below(5));
  for (Index j = 0; j < dual.distributions.dimension(); ++j) {
    dual.c.push_back(0.01 + random.uniform());
    dual.centre.push_back(-5 * random.uniform());
    dual.mu.push_back(3 * random.normal());
  }
  dual.gamma = std::pow(10.0, -4 * random.uniform());
  return dual;
}

TEST(ProximalDual, MinimaMeetTheirConditions) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const RandomDual one = random_dual(random);
    for (const Divergence divergence : kBoth) {
      ProximalDual dual(one.distributions, divergence, one.c, one.gamma);
      dual.set_centre(one.centre);
      InnerMinimum minimum;
      minimum.lambda.assign(3, 0);
      for (double& lambda : minimum.lambda) lambda = std::pow(10.0, 6 * random.uniform() - 3);
      dual.evaluate(one.mu, minimum);
      for (Index i = 0; i < 3; ++i) {
        for (Index j = one.distributions.begin(i); j < one.distributions.end(i); ++j) {
          const double x = minimum.theta[j], e = std::exp(x);
          const double slope = divergence_at(divergence, one.c[j], std::log(one.c[j]), x, e).slope +
                               one.mu[j] + minimum.lambda[i] * e + one.gamma * (x - one.centre[j]);
          EXPECT_NEAR(slope, 0, 1e-11 * (10 + std::abs(one.mu[j]))) << one.gamma;
        }
      }
    }
  }
}

TEST(ProximalDual, DerivativesEqualCentralDifferences) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    RandomDual one = random_dual(random);
    one.gamma = 0.1 + random.uniform();
    for (const Divergence divergence : kBoth) {
      ProximalDual dual(one.distributions, divergence, one.c, one.gamma);
      dual.set_centre(one.centre);
      InnerMinimum at;
      at.lambda.assign(3, 0);
      for (double& lambda : at.lambda) lambda = 0.1 + 2 * random.uniform();
      dual.evaluate(one.mu, at);
      const double h = 1e-5;
      const auto moved = [&](Index j, double by, Index i, double by_lambda) {
        std::vector<double> mu = one.mu;
        InnerMinimum there = at;
        if (by != 0) mu[j] += by;
        if (by_lambda != 0) there.lambda[i] += by_lambda;
        const double value = dual.evaluate(mu, there);
        return std::pair(value, there);
      };
      for (Index i = 0; i < 3; ++i) {
        const auto up = moved(0, 0, i, h), down = moved(0, 0, i, -h);
        EXPECT_NEAR((up.first - down.first) / (2 * h), at.mass[i] - 1, 1e-7 * (1 + at.mass[i]));
        EXPECT_NEAR((up.second.mass[i] - down.second.mass[i]) / (2 * h), -at.mass_falling[i],
                    1e-5 * (1 + at.mass_falling[i]));
        for (Index j = one.distributions.begin(i); j < one.distributions.end(i); ++j) {
          EXPECT_NEAR((up.second.theta[j] - down.second.theta[j]) / (2 * h),
                      -at.exp_theta[j] * at.flatness[j],
                      1e-5 * (1 + at.exp_theta[j] * at.flatness[j]));
          const auto right = moved(j, h, 0, 0), left = moved(j, -h, 0, 0);
          EXPECT_NEAR((right.first - left.first) / (2 * h), at.theta[j],
                      1e-6 * (1 + std::abs(at.theta[j])));
          EXPECT_NEAR((right.second.theta[j] - left.second.theta[j]) / (2 * h), -at.flatness[j],
                      1e-5 * (1 + at.flatness[j]));
        }
      }
    }
  }
}

TEST(ProximalDual, TheBestLambdaMakesTheMassOneOrIsZero) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const RandomDual one = random_dual(random);
    for (const Divergence divergence : kBoth) {
      ProximalDual dual(one.distributions, divergence, one.c, one.gamma);
      dual.set_centre(one.centre);
      InnerMinimum best;
      const double value = dual.maximize(one.mu, best);
      for (Index i = 0; i < 3; ++i) {
        if (best.lambda[i] == 0) {
          EXPECT_LE(best.mass[i], 1);
        } else {
          EXPECT_NEAR(best.mass[i], 1, 1e-12);
        }
        InnerMinimum other = best;
        other.lambda[i] = std::max(0.0, best.lambda[i] + 0.1 * random.normal());
        EXPECT_LE(dual.evaluate(one.mu, other), value + 1e-9 * (1 + std::abs(value)));
      }
    }
  }
}

// What the master problem's Hessian is made of: with λ at its best, ∂θ/∂μ is the Schur complement.
TEST(ProximalDual, SlopesOfTheMaximumEqualTheSchurComplement) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    RandomDual one = random_dual(random);
    one.gamma = 0.1 + random.uniform();
    ProximalDual dual(one.distributions, Divergence::kForward, one.c, one.gamma);
    dual.set_centre(one.centre);
    InnerMinimum at;
    dual.maximize(one.mu, at);
    for (Index i = 0; i < one.distributions.num(); ++i) {
      if (at.lambda[i] == 0 && at.mass[i] > 0.999) continue;  // a corner
      if (at.lambda[i] > 0 && at.lambda[i] < 1e-3) continue;
      for (Index j = one.distributions.begin(i); j < one.distributions.end(i); ++j) {
        const double h = 1e-6;
        std::vector<double> mu = one.mu;
        InnerMinimum up = at, down = at;
        mu[j] += h;
        dual.maximize(mu, up);
        mu[j] -= 2 * h;
        dual.maximize(mu, down);
        for (Index k = one.distributions.begin(i); k < one.distributions.end(i); ++k) {
          double expected = j == k ? -at.flatness[j] : 0;
          if (at.lambda[i] > 0) {
            expected += at.flatness[j] * at.exp_theta[j] * at.flatness[k] * at.exp_theta[k] /
                        at.mass_falling[i];
          }
          EXPECT_NEAR((up.theta[k] - down.theta[k]) / (2 * h), expected, 1e-4);
        }
      }
    }
  }
}

TEST(ProjectToFeasible, IsTheNearestPoint) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    RandomDual one = random_dual(random);
    std::vector<double> theta = one.mu;
    project_to_feasible(one.distributions, theta);
    for (int other = 0; other < 20; ++other) {
      std::vector<double> y(theta.size());
      for (Index j = 0; j < y.size(); ++j) y[j] = theta[j] + 0.3 * random.normal();
      shift_to_feasible(one.distributions, y);
      double angle = 0;  // (v − θ)'(y − θ) ≤ 0 for every feasible y
      for (Index j = 0; j < y.size(); ++j) angle += (one.mu[j] - theta[j]) * (y[j] - theta[j]);
      EXPECT_LE(angle, 1e-10);
    }
    for (Index i = 0; i < one.distributions.num(); ++i) {
      double mass = 0;
      for (Index j = one.distributions.begin(i); j < one.distributions.end(i); ++j) {
        mass += std::exp(theta[j]);
      }
      EXPECT_LE(mass, 1 + 1e-14);
    }
  }
}

}  // namespace
}  // namespace trellis
