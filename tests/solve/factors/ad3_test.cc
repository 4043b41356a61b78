#include "trellis/solve/factors/ad3.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solve/factors/factor_instance.h"

namespace trellis {
namespace {

using testing::each_assignment;
using testing::legal_assignments;
using testing::num_assignments;
using testing::RandomFactorGraph;
using testing::Values;

std::vector<double> normal_scores(const FactorGraphLayout& graph, double size, Random& random) {
  std::vector<double> s(graph.num_parts());
  for (double& score : s) score = size * random.normal();
  return s;
}

double best_score(const FactorGraphLayout& graph, std::span<const double> s) {
  double best = -kInfinity;
  for (const Values& values : legal_assignments(graph)) {
    best = std::max(best, graph.score(s, values));
  }
  return best;
}

TEST(Ad3, BoundsTheBestAssignment) {
  Ad3 ad3;
  Index integral = 0, converged = 0, legal = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any();
    if (num_assignments(graph) > 20000) continue;
    for (const double size : {1.0, 1e6}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " size " << size);
      const std::vector<double> s = normal_scores(graph, size, draw.random());
      std::vector<double> z(graph.num_parts());
      const Ad3Result result = ad3.solve(graph, s, {}, z);
      const double best = best_score(graph, s);
      const double slack = 1e-11 * size * static_cast<double>(s.size());
      EXPECT_GE(result.upper, best - slack);
      EXPECT_LE(result.lower, best);
      if (best == -kInfinity) continue;
      ++legal;
      converged += result.convergence.converged ? 1 : 0;
      if (!result.convergence.converged)
        printf("seed %d not converged %g up %g low %g best %g\n", (int)seed,
               result.convergence.residual, result.upper, result.lower, best);
      integral += result.integral ? 1 : 0;
      if (!result.integral) continue;
      EXPECT_NEAR(result.lower, best, 1e-8 * (1 + std::abs(best)));
      EXPECT_EQ(graph.score(s, ad3.assignment()), result.lower);
    }
  }
  printf("%d legal %d converged %d integral\n", (int)legal, (int)converged, (int)integral);
}

}  // namespace
}  // namespace trellis
